using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Dns.Tests;

/// <summary>A name server on loopback that answers what the test has written; other names do not exist.</summary>
internal sealed class ScriptedDns : IAsyncDisposable
{
    private readonly UdpClient _socket = new(new IPEndPoint(IPAddress.Loopback, 0));
    private readonly ConcurrentDictionary<(string Name, ushort Type), DnsReply> _replies = new();
    private readonly Task _run;

    public ScriptedDns() => _run = RunAsync();

    public IPEndPoint Address => (IPEndPoint)_socket.Client.LocalEndPoint!;

    /// <summary>Questions so far.</summary>
    public ConcurrentQueue<(string Name, ushort Type)> Questions { get; } = new();

    public void Set(string name, ushort type, DnsReply reply) => _replies[(name, type)] = reply;

    public async ValueTask DisposeAsync()
    {
        _socket.Dispose();
        await _run.Within("the end of the name server");
    }

    private async Task RunAsync()
    {
        try
        {
            while (true)
            {
                var received = await _socket.ReceiveAsync();
                if (Reply(received.Buffer) is { } reply) await _socket.SendAsync(reply, received.RemoteEndPoint);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The end.
        }
    }

    private byte[]? Reply(byte[] query)
    {
        int end = 12; // behind the header
        var labels = new List<string>();
        for (int length; (length = query[end]) > 0; end += length + 1) labels.Add(Encoding.ASCII.GetString(query, end + 1, length));
        var question = (Name: string.Join('.', labels), Type: (ushort)(query[end + 1] << 8 | query[end + 2]));
        end += 5; // the last label, type and class
        Questions.Enqueue(question);
        var reply = _replies.GetValueOrDefault(question) ?? new DnsReply { Code = DnsReply.NoSuchName };
        if (reply.IsSilent) return null;
        if (reply.IsGarbage) return [query[0], query[1], 0x81, 0x80, 0, 1, 0, 9, 0, 0, 0, 0, 0xFF];
        return
        [
            query[0], query[1], 0x81, (byte)(0x80 | reply.Code), 0, 1, 0, (byte)reply.Answers.Length, 0, 0, 0, (byte)reply.Additionals.Length, // response, recursion
            .. query.AsSpan(12, end - 12), .. reply.Answers.Concat(reply.Additionals).SelectMany(record => record.Encode()),
        ];
    }
}
