using System.Net.Sockets;
using System.Threading.Channels;

namespace Mux.TestSupport.Transports;

/// <summary>One connection through a <see cref="FaultProxy"/>: two sockets, and for each direction a task that reads and one that writes.</summary>
internal sealed class FaultProxyConnection
{
    // What may be under way in a direction that is stalled; then the proxy stops reading.
    private const int PiecesUnderWay = 256;
    private const int PieceSize = 65_536;

    private readonly FaultProxy _proxy;
    private readonly Socket _client;
    private readonly Socket _server;
    private readonly CancellationToken _stopping;
    private readonly ITimer _idle;
    private readonly Task _work;

    private FaultProxyConnection(FaultProxy proxy, Socket client, Socket server, CancellationToken stopping)
    {
        _proxy = proxy;
        _client = client;
        _server = server;
        _stopping = stopping;
        _client.NoDelay = _server.NoDelay = true;
        _idle = proxy.Time.CreateTimer(static self => ((FaultProxyConnection)self!).CutIdle(), this, proxy.IdleLimit, Timeout.InfiniteTimeSpan);
        _work = Task.WhenAll(ForwardAsync(client, server, proxy.ToServer), ForwardAsync(server, client, proxy.ToClient));
    }

    /// <returns>Null when the server cannot be reached; the client is reset then.</returns>
    public static async Task<FaultProxyConnection?> ConnectAsync(FaultProxy proxy, Socket client, MuxAddress target, CancellationToken stopping)
    {
        var server = new Socket(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await server.ConnectAsync(target.Host, target.Port, stopping);
            return new FaultProxyConnection(proxy, client, server, stopping);
        }
        catch (SocketException)
        {
            server.Dispose();
            Reset(client);
            return null;
        }
    }

    public void Reset()
    {
        Reset(_client);
        Reset(_server);
    }

    public async Task StopAsync()
    {
        await _idle.DisposeAsync();
        _client.Dispose();
        _server.Dispose();
        await _work;
    }

    private void CutIdle()
    {
        Reset();
        _proxy.Cut.Add();
    }

    private static void Reset(Socket socket)
    {
        try
        {
            socket.LingerState = new LingerOption(enable: true, seconds: 0);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Gone already.
        }

        socket.Dispose();
    }

    private async Task ForwardAsync(Socket from, Socket to, FaultProxyDirection direction)
    {
        var underWay = Channel.CreateBounded<byte[]>(PiecesUnderWay);
        var reading = ReadAsync(from, direction, underWay.Writer);
        try
        {
            long forwarded = 0;
            await foreach (var bytes in underWay.Reader.ReadAllAsync(_stopping))
            {
                for (int at = 0; at < bytes.Length;)
                {
                    int count = (int)Math.Min(Math.Min(direction.LargestSlice, bytes.Length - at), direction.ResetAtByte - forwarded);
                    await direction.WhenMoving().WaitAsync(_stopping);
                    if (_proxy.IsSilent) break;
                    _idle.Change(_proxy.IdleLimit, Timeout.InfiniteTimeSpan);
                    await to.SendAsync(bytes.AsMemory(at, count), _stopping);
                    at += count;
                    forwarded += count;
                    direction.Forwarded.Add(count);
                    if (forwarded >= direction.ResetAtByte) Reset();
                }
            }

            if (!_proxy.IsSilent) to.Shutdown(SocketShutdown.Send);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            if (!_proxy.IsSilent) Reset();
        }

        await reading;
    }

    private async Task ReadAsync(Socket from, FaultProxyDirection direction, ChannelWriter<byte[]> underWay)
    {
        try
        {
            var buffer = new byte[PieceSize];
            while (await from.ReceiveAsync(buffer, _stopping) is > 0 and var count) await underWay.WriteAsync(buffer[..count], _stopping);

            underWay.Complete();
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            underWay.Complete(e); // passed on as a reset
        }

        direction.Ends.Add();
    }
}
