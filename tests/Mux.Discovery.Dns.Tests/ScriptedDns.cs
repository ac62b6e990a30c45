using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Dns.Tests;

/// <summary>A name server on loopback that answers what the test has written, by UDP and TCP; other names do not exist.</summary>
internal sealed class ScriptedDns : IAsyncDisposable
{
    private readonly UdpClient _datagrams;
    private readonly TcpListener _listener;
    private readonly CancellationTokenSource _stop = new();
    private readonly ConcurrentDictionary<(string Name, ushort Type), DnsReply> _replies = new();
    private readonly Task _run;

    public ScriptedDns()
    {
        (_datagrams, _listener) = Bind();
        _run = Task.WhenAll(ServeDatagramsAsync(), ServeConnectionsAsync());
    }

    public IPEndPoint Address => (IPEndPoint)_datagrams.Client.LocalEndPoint!;

    /// <summary>Questions so far.</summary>
    public ConcurrentQueue<(string Name, ushort Type)> Questions { get; } = new();

    public void Set(string name, ushort type, DnsReply reply) => _replies[(name, type)] = reply;

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _run.Within("the end of the name server");
        _datagrams.Dispose();
        _listener.Dispose();
        _stop.Dispose();
    }

    /// <summary>A port that is free for both.</summary>
    private static (UdpClient Datagrams, TcpListener Listener) Bind()
    {
        for (int attempt = 1; ; attempt++)
        {
            var datagrams = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
            var listener = new TcpListener((IPEndPoint)datagrams.Client.LocalEndPoint!);
            try
            {
                listener.Start();
                return (datagrams, listener);
            }
            catch (SocketException) when (attempt < 20)
            {
                datagrams.Dispose();
            }
        }
    }

    private async Task ServeDatagramsAsync()
    {
        try
        {
            while (true)
            {
                var received = await _datagrams.ReceiveAsync(_stop.Token);
                if (Reply(received.Buffer, isDatagram: true) is { } reply) await _datagrams.SendAsync(reply, received.RemoteEndPoint, _stop.Token);
            }
        }
        catch (OperationCanceledException)
        {
            // The end.
        }
    }

    private async Task ServeConnectionsAsync()
    {
        var open = new List<Task>();
        try
        {
            while (true) open.Add(ServeAsync(await _listener.AcceptTcpClientAsync(_stop.Token)));
        }
        catch (OperationCanceledException)
        {
            await Task.WhenAll(open);
        }
    }

    private async Task ServeAsync(TcpClient connection)
    {
        try
        {
            using (connection)
            {
                var stream = connection.GetStream();
                var length = new byte[2];
                while (true)
                {
                    await stream.ReadExactlyAsync(length, _stop.Token);
                    var query = new byte[length[0] << 8 | length[1]];
                    await stream.ReadExactlyAsync(query, _stop.Token);
                    if (Reply(query, isDatagram: false) is { } reply) await stream.WriteAsync((byte[])[(byte)(reply.Length >> 8), (byte)reply.Length, .. reply], _stop.Token);
                }
            }
        }
        catch (Exception e) when (e is IOException or OperationCanceledException)
        {
            // The end of either side.
        }
    }

    private byte[]? Reply(byte[] query, bool isDatagram)
    {
        int end = 12; // after the header
        var labels = new List<string>();
        for (int length; (length = query[end]) > 0; end += length + 1) labels.Add(Encoding.ASCII.GetString(query, end + 1, length));
        var question = (Name: string.Join('.', labels), Type: (ushort)(query[end + 1] << 8 | query[end + 2]));
        end += 5; // the last label, type and class
        Questions.Enqueue(question);
        var reply = _replies.GetValueOrDefault(question) ?? new DnsReply { Code = DnsReply.NoSuchName };
        if (reply.IsSilent) return null;
        if (reply.IsGarbage) return [query[0], query[1], 0x81, 0x80, 0, 1, 0, 9, 0, 0, 0, 0, 0xFF];
        bool isCut = reply.IsLong && isDatagram;
        DnsRecord[] answers = isCut ? [] : reply.Answers;
        return
        [
            query[0], (byte)(reply.IsOfAnotherQuery ? query[1] ^ 1 : query[1]), (byte)(isCut ? 0x83 : 0x81), (byte)(0x80 | reply.Code), 0, 1, 0, (byte)answers.Length, 0, 0, 0, (byte)reply.Additionals.Length, // a response, perhaps cut
            .. query.AsSpan(12, end - 12), .. answers.Concat(reply.Additionals).SelectMany(record => record.Encode()),
        ];
    }
}
