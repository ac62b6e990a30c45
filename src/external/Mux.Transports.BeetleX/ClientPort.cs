using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;
using BeetleX.Buffers;
using BeetleX.Clients;

namespace Mux.Transports.BeetleX;

/// <summary>The port of a dialed link: one attempt to connect to one endpoint, and the connection.</summary>
[SuppressMessage("Design", "CA1001:Types that own disposable fields should be disposable", Justification = "Close is what disposing is, and comes with the " +
    "end of the link.")]
internal sealed class ClientPort : IPort, IClientSocketProcessHandler
{
    // If something is sent after the end, a client of BeetleX connects again and would send the rest of one stream as the start of another. No socket can
    // connect to this endpoint, so it cannot.
    private static readonly EndPoint s_nowhere = new DnsEndPoint("nowhere", 0);

    private readonly BeetleXLink _link;
    private readonly AsyncTcpClient _client = new();
    private Exception? _error; // the first error
    private bool _isEstablished;

    public ClientPort(BeetleXLink link, IPEndPoint endPoint)
    {
        _link = link;
        _client.ReceiveBufferPool = new ReceiveSlot();
        _client.SocketProcessHandler = this;
        _client.DataReceive = (_, received) => _link.OnArrived((PipeStream)received.Stream);
        _client.ClientError = (_, failed) => OnError(failed.Error);
        _client.Init(endPoint.Address.ToString(), endPoint.Port, null); // an IP address, so nothing is looked up
    }

    public Socket? Socket => _client.Socket;

    /// <summary>Connects.</summary>
    /// <returns>Null, or the reason of the failure.</returns>
    public async Task<Exception?> ConnectAsync()
    {
        // The connection may have ended again: an error recorded meanwhile is reported when the link is open.
        var status = await _client.Connect().ConfigureAwait(false);
        return status.NewConnection ? null : Volatile.Read(ref _error) ?? new IOException("BeetleX did not connect and gave no reason");
    }

    /// <summary>The link is open: from now on an error ends it.</summary>
    public void Establish()
    {
        Volatile.Write(ref _isEstablished, true);
        Interlocked.MemoryBarrier(); // pairs with OnError, which sets the error before it reads the flag
        if (Volatile.Read(ref _error) is { } error) Report(error);
    }

    public void Prepare()
    {
        _client.LocalEndPoint = s_nowhere;
        if (_client.Socket is { } socket) ConnectedSocket.TryPrepare(socket);
    }

    public void Send(IBuffer buffer)
    {
        if (!_client.IsConnected) return;
        var sending = _client.Send(buffer);
        if (_client.IsConnected) return;

        // The connection has ended meanwhile. The client may have tried to connect again and hold that socket.
        _ = sending.ContinueWith(static task => task.Exception, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        _client.DisConnect();
    }

    public void Close() => _client.DisConnect();

    void IClientSocketProcessHandler.ReceiveCompleted(IClient client, SocketAsyncEventArgs e)
    {
        // after the delivery nothing is left to do
    }

    void IClientSocketProcessHandler.SendCompleted(IClient client, SocketAsyncEventArgs e, bool end) => _link.OnSent();

    private void OnError(Exception error)
    {
        Interlocked.CompareExchange(ref _error, error, null);
        if (Volatile.Read(ref _isEstablished)) Report(error);
    }

    private void Report(Exception error)
    {
        if (error is SocketException socket) _link.OnEnded(socket.SocketErrorCode);
        // disconnecting makes other operations fail, which may report first
        else _link.OnEnded(new LinkEnd(_client.IsConnected ? LinkCloseCause.Failed : LinkCloseCause.Reset, error));
    }
}
