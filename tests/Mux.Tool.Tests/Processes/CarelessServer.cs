using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Mux.TestSupport.Transports;

namespace Mux.Tool.Tests.Processes;

/// <summary>
/// Shakes hands, answers every request and every PING, and minds nothing else: a server that has never read what is forbidden, nor what credit is.
/// </summary>
internal sealed class CarelessServer : IAsyncDisposable
{
    private const int PrefaceSize = 8, HeaderSize = 8;
    private const byte HelloKind = 1, PingKind = 2, RequestKind = 8, CancelKind = 11, StreamOption = 8, ResponseKind = 16, AnswerFlag = 4 << 5;

    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly CancellationTokenSource _end = new();
    private readonly bool _answersOtherPings;
    private readonly Task _accepting;

    /// <param name="answersOtherPings">Whether its answer to a PING has bytes of its own.</param>
    public CarelessServer(bool answersOtherPings = false)
    {
        _answersOtherPings = answersOtherPings;
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        Address = $"mux://{_listener.LocalEndPoint}";
        _accepting = AcceptAsync();
    }

    public string Address { get; }

    public Counter Connections { get; } = new("connections to the careless server");

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _accepting.Within("the end of the server");
        _listener.Dispose();
        _end.Dispose();
    }

    private async Task AcceptAsync()
    {
        var connections = new List<Task>();
        try
        {
            while (true)
            {
                connections.Add(ServeAsync(await _listener.AcceptAsync(_end.Token)));
                Connections.Add();
            }
        }
        catch (OperationCanceledException)
        {
            await Task.WhenAll(connections);
        }
    }

    private async Task ServeAsync(Socket socket)
    {
        await using var stream = new NetworkStream(socket, ownsSocket: true);
        try
        {
            var preface = new byte[PrefaceSize];
            await stream.ReadExactlyAsync(preface, _end.Token);
            await stream.WriteAsync("MUX1\r\n\u001a\n"u8.ToArray(), _end.Token);
            await stream.WriteAsync(new byte[] { 4, 0, 0, HelloKind, 0, 0, 0, 0, 1, 1, 0, 0 }, _end.Token);
            var streams = new HashSet<uint>();
            while (true) await AnswerAsync(stream, streams);
        }
        catch (Exception error) when (error is IOException or OperationCanceledException)
        {
            // The peer, or the test, is done.
        }
    }

    private async Task AnswerAsync(NetworkStream stream, HashSet<uint> streams)
    {
        var header = new byte[HeaderSize];
        await stream.ReadExactlyAsync(header, _end.Token);
        var payload = new byte[header[0] | header[1] << 8 | header[2] << 16];
        await stream.ReadExactlyAsync(payload, _end.Token);
        int kind = header[3] & 0x1F;
        if (_answersOtherPings && kind == PingKind) payload = [1, 2, 3, 4, 5, 6, 7, 8];
        uint id = BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(4));
        bool isStream = kind == RequestKind && (payload[2] & StreamOption) != 0;
        if (isStream) streams.Add(id); // which ends when it is cancelled
        if ((kind == RequestKind && !isStream) || (kind == CancelKind && streams.Remove(id))) await stream.WriteAsync((byte[])[0, 0, 0, ResponseKind, .. header[4..]], _end.Token);
        if (kind == PingKind) await stream.WriteAsync((byte[])[8, 0, 0, PingKind | AnswerFlag, 0, 0, 0, 0, .. payload], _end.Token);
    }
}
