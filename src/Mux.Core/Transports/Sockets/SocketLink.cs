using System.Net.Sockets;

namespace Mux.Transports.Sockets;

/// <summary>
/// One connection: its life from <see cref="Start"/> to <see cref="ILinkHandler.OnClosed"/>. Bytes are moved by its <see cref="SocketReceiver"/> and its
/// <see cref="SocketSender"/>.
/// </summary>
/// <remarks>
/// <para>Life: idle -> (dialing) -> running -> over, and then reported once all parties have left. A party is whoever may still call the handler or has
/// the operating system work on one of the link's buffers: the loop (dialing, then receiving) from <see cref="Start"/> on, and each send under way. They
/// notice the end by themselves, because the end disposes the socket; the last one to leave has <see cref="ILinkHandler.OnClosed"/> called.</para>
/// <para>One end leaves the socket open until the parties have left: the peer's stream is over, but what was accepted before
/// <see cref="ShutdownSend"/> is still on its way out.</para>
/// </remarks>
#pragma warning disable CA1001 // A link ends itself: Report disposes what it owns.
internal sealed class SocketLink : Link, IThreadPoolWorkItem, ICarrierLink
#pragma warning restore CA1001
{
    private static readonly LinkEnd s_closed = new(LinkCloseCause.Closed, null);

    private readonly SocketDialer? _dialer; // null for an accepted link
    private Socket? _socket;
    private ILinkHandler? _handler;
    private SocketReceiver? _receiver;
    private SocketSender? _sender;
    private string _remoteAddress = string.Empty;
    private PartyCount _parties;

    // Set once, by whoever finds the end first.
    private LinkEnd? _end;

    /// <summary>A link that connects when started.</summary>
    public SocketLink(SocketDialer dialer) => _dialer = dialer;

    /// <summary>A link over an accepted socket, which is the link's from now on.</summary>
    public SocketLink(Socket socket)
    {
        _socket = socket;
        _remoteAddress = SocketEndPoints.DescribeRemote(socket); // also for logs of links that are never started
    }

    public override string RemoteAddress => _remoteAddress;

    public override PeerIdentity? Identity => Volatile.Read(ref _socket) is { } socket ? PeerUser.IdentityOf(socket) : null;

    public override bool DropsOutput => IsOver || _sender is { Failure: not SocketError.Success };

    /// <inheritdoc/>
    public override bool HasUndeliveredInput => !IsOver && _receiver is { HasUndeliveredInput: true };

    bool ICarrierLink.HasInputWaiting => !IsOver && _receiver is { HasInputWaiting: true };

    /// <summary>Whether the end is decided. Nothing is received or sent from then on.</summary>
    public bool IsOver => Volatile.Read(ref _end) is not null;

    public override bool CanHandOver => true;

    public override void Start(ILinkHandler handler)
    {
        _handler = handler;
        _parties.Open();

        // A work item of its own: the handler is not called from here, and the caller's ExecutionContext does not follow the link.
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    public override int Send(ReadOnlySpan<byte> bytes) => _sender is { } sender ? sender.Send(bytes) : bytes.Length;

    public override void ShutdownSend() => _sender?.Shutdown();

    public override void HandOver(int consumed) => _receiver!.HandOver(consumed);

    void ICarrierLink.Pause() => _receiver!.Pause();

    void ICarrierLink.Resume() => _receiver!.Resume();

    public override void Close()
    {
        End(s_closed);
        if (Volatile.Read(ref _socket) is null) _dialer?.Cancel();
        else DisposeSocket(); // also when another end came first and the last bytes still keep the socket open
    }

    /// <summary>The loop's work item: dials first where there is no socket yet, then connects the handler and receives.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        if (IsOver) Leave();
        else if (Volatile.Read(ref _socket) is { } socket) Run(socket);
        else _ = DialAsync(_dialer!);
    }

    /// <summary>Lets a party in that is about to start an asynchronous operation. False when the link is over and reported, or about to be.</summary>
    public bool TryEnter() => _parties.TryEnter();

    /// <summary>A party leaves. The loop does so only after the end is decided.</summary>
    public void Leave()
    {
        // A work item of its own: the last to leave may be a thread inside Send, where the handler must not be called.
        if (_parties.Leave()) ThreadPool.UnsafeQueueUserWorkItem(static link => link.Report(), this, preferLocal: false);
    }

    /// <summary>An operation on the connected socket failed.</summary>
    public void End(SocketError error)
    {
        if (!IsOver) End(SocketFailure.CauseOf(error), SocketFailure.ToException(_remoteAddress, error));
    }

    /// <summary>The link is over for a reason found here.</summary>
    public void End(LinkCloseCause cause, Exception error)
    {
        End(new LinkEnd(cause, error));
        DisposeSocket();
    }

    /// <summary>Nothing more can be received.</summary>
    public void EndOfStream()
    {
        // A failing send takes the error of a broken connection with it, and a receive then finds nothing but the end. EPIPE alone says only
        // that the peer, who ended its stream in order, does not read any more.
        var failure = _sender!.Failure;
        if (failure is not (SocketError.Success or SocketError.Shutdown))
        {
            End(failure);
            return;
        }

        End(new LinkEnd(LinkCloseCause.EndOfStream, null));
        if (!_sender.IsFlushing) DisposeSocket();
    }

    private void End(LinkEnd end) => Interlocked.CompareExchange(ref _end, end, null);

    private async Task DialAsync(SocketDialer dialer)
    {
        try
        {
            var socket = await dialer.ConnectAsync().ConfigureAwait(false);

            // Published before asking whether the link is over; Close does it the other way round, so one of the two disposes the socket.
            Interlocked.Exchange(ref _socket, socket);
            if (IsOver) DisposeSocket();
        }
        catch (Exception e) // after Close this is a cancellation, and the end is decided already
        {
            End(LinkCloseCause.ConnectFailed, e);
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private void Run(Socket socket)
    {
        if (_dialer is not null) _remoteAddress = SocketEndPoints.DescribeRemote(socket);
        _receiver = new SocketReceiver(this, socket, _handler!);
        _sender = new SocketSender(this, socket, _handler!);
        _handler!.OnConnected();
        _receiver.Run();
    }

    private void Report()
    {
        DisposeSocket();
        _receiver?.Dispose();
        _sender?.Dispose();
        _handler!.OnClosed(_end!.Cause, _end.Error);
    }

    private void DisposeSocket()
    {
        if (Volatile.Read(ref _socket) is not { } socket) return;
        try
        {
            // Without this, disposing a socket with an operation pending resets the connection, and the peer loses what it has not read yet.
            socket.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException)
        {
            // Broken or shut down already.
        }
        catch (ObjectDisposedException)
        {
            return;
        }

        socket.Dispose();
    }

    private sealed record LinkEnd(LinkCloseCause Cause, Exception? Error);
}
