using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Mux.Execution;
using Mux.Transports.Sockets;

namespace Mux.Transports.Epoll;

/// <summary>
/// One connection: its life from <see cref="Start"/> to <see cref="ILinkHandler.OnClosed"/>. Bytes are moved by its <see cref="EpollReceiver"/> and its
/// <see cref="EpollSender"/>.
/// </summary>
/// <remarks>
/// Life: idle -> (dialing) -> watched by its loop -> over, and then reported once all parties have left. A party is whoever may still call the handler or use
/// the number of the socket: the loop (before it, the dialing) from <see cref="Start"/> on, and each thread inside a member that uses the socket. Whoever finds
/// the end posts it to the loop, which then leaves. The last one to leave gives the socket back, so that its number becomes nobody else's while somebody uses
/// it, and has <see cref="ILinkHandler.OnClosed"/> called.
/// </remarks>
#pragma warning disable CA1001 // A link ends itself: its socket is disposed by the last party that leaves.
internal sealed class EpollLink : Link, ILoopSource, ICarrierLink, IThreadPoolWorkItem
#pragma warning restore CA1001
{
    private static readonly LinkEnd s_closed = new(LinkCloseCause.Closed, null);

    private readonly EventLoopGroup _loops;
    private readonly EventLoop _loop;
    private readonly ILogger _logger;
    private readonly SocketDialer? _dialer; // null for an accepted link
    private ConnectedSocket? _socket; // set before the loop becomes a party, never changed
    private ILinkHandler? _handler;
    private EpollReceiver? _receiver;
    private EpollSender? _sender;
    private string _remoteAddress = string.Empty;
    private PartyCount _parties;
    private int _isTaken; // 1 once started, or closed instead
    private int _holds; // 1 while the loops, and a socket if there is one, are to be given back
    private bool _isWatched; // the loop's

    private readonly Lock _watchGate = new(); // guards what the socket is watched for
    private bool _isPaused;
    private bool _awaitsRoom;

    // Set once, by whoever finds the end first.
    private LinkEnd? _end;

    /// <summary>A link that connects when started.</summary>
    public EpollLink(EventLoopGroup loops, EventLoop loop, SocketDialer dialer, ILogger logger)
    {
        _loops = loops;
        _loop = loop;
        _dialer = dialer;
        _logger = logger;
    }

    /// <summary>A link over an accepted socket, which is the link's from now on. Takes over one use of the loops.</summary>
    public EpollLink(EventLoopGroup loops, EventLoop loop, Socket socket, ILogger logger)
    {
        _loops = loops;
        _loop = loop;
        _socket = new ConnectedSocket(socket);
        _remoteAddress = SocketEndPoints.DescribeRemote(socket); // also for logs of links that are never started
        _logger = logger;
        _holds = 1;
    }

    public override string RemoteAddress => _remoteAddress;

    public override PeerIdentity? Identity
    {
        get
        {
            if (IsOver || !TryEnter()) return null;
            var identity = _socket!.DescribePeer();
            Leave();
            return identity;
        }
    }

    public override bool DropsOutput => IsOver || _sender is { Failure: not SocketError.Success };

    /// <inheritdoc/>
    public override bool HasUndeliveredInput
    {
        get
        {
            if (IsOver || _receiver is not { } receiver || !TryEnter()) return false;
            bool has = receiver.IsDelivering || _socket!.HasInput;
            Leave();
            return has;
        }
    }

    /// <summary>Whether the end is decided. Nothing is received or sent from then on.</summary>
    public bool IsOver => Volatile.Read(ref _end) is not null;

    public override bool CanHandOver => true;

    ulong ILoopSource.Registration { get; set; }

    public override void Start(ILinkHandler handler)
    {
        _handler = handler;
        _parties.Open();
        if (Interlocked.Exchange(ref _isTaken, 1) != 0) Leave(); // closed before
        else if (_dialer is null) _loop.Post(this, LoopCommand.Open);
        else WorkQueue.OfProcess.Add(new Dialing(this)); // the caller's ExecutionContext does not follow the link
    }

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        if (!TryEnter()) return bytes.Length;
        int accepted = _sender!.Send(bytes);
        Leave();
        return accepted;
    }

    public override bool TryJoinBatch() => Volatile.Read(ref _receiver) is { } receiver && !IsOver && _loop.TryJoinBatch(receiver);

    public override void EndJoinedBatches() => _loop.EndJoinedBatches(_receiver!);

    public override void ShutdownSend()
    {
        if (!TryEnter()) return;
        Libc.ShutdownSend(_socket!.Handle);
        Leave();
    }

    public override void HandOver(int consumed) => _loop.HandOver(this, _receiver!, consumed);

    public override void Close()
    {
        End(s_closed);
        if (Interlocked.Exchange(ref _isTaken, 1) == 0)
        {
            Release();
            return;
        }

        _dialer?.Cancel();
        if (Volatile.Read(ref _socket) is not { } socket || !TryEnter()) return;
        Libc.ShutdownSend(socket.Handle); // the peer learns of it now, also while a handler holds up the loop
        Leave();
    }

    bool ICarrierLink.HasInputWaiting
    {
        get
        {
            if (IsOver || !TryEnter()) return false;
            bool has = _socket is { HasInput: true };
            Leave();
            return has;
        }
    }

    void ICarrierLink.Pause()
    {
        lock (_watchGate)
        {
            _isPaused = true;
            WatchLocked();
        }
    }

    void ICarrierLink.Resume()
    {
        if (!TryEnter()) return;
        lock (_watchGate)
        {
            _isPaused = false;
            WatchLocked();
        }

        Leave();
    }

    /// <summary>Watches for room to send, or no more. Under a party, or by the loop.</summary>
    public void AwaitRoom(bool isWanted)
    {
        lock (_watchGate)
        {
            _awaitsRoom = isWanted;
            WatchLocked();
        }
    }

    bool ILoopSource.OnEvents(uint flags)
    {
        if (IsOver) return true; // the loop is told already
        if ((flags & EpollFlags.Writable) != 0) _sender!.OnRoom();
        if ((flags & ~EpollFlags.Writable) == 0 || IsOver) return true;
        if (!Volatile.Read(ref _isPaused)) return _receiver!.Receive();
        if ((flags & EpollFlags.Broken) != 0) End(SocketError.ConnectionReset); // which the kernel would report again and again
        return true;
    }

    void ILoopSource.OnCommand(LoopCommand command)
    {
        if (command == LoopCommand.Open) Open();
        else if (_isWatched) EndWatch();
    }

    public void OnFault(Exception error)
    {
        EpollTransportLog.LinkFault(_logger, error, _remoteAddress);
        End(LinkCloseCause.Failed, error);
    }

    /// <summary>An operation on the connected socket failed.</summary>
    public void End(SocketError error)
    {
        if (!IsOver) End(SocketFailure.CauseOf(error), SocketFailure.ToException(_remoteAddress, error));
    }

    /// <summary>The link is over for a reason found here.</summary>
    public void End(LinkCloseCause cause, Exception error) => End(new LinkEnd(cause, error));

    /// <summary>Nothing more can be received.</summary>
    public void EndOfStream()
    {
        // A failing send takes the error of a broken connection with it, and a receive then finds nothing but the end. EPIPE alone says only
        // that the peer, who ended its stream in order, does not read any more. What was accepted goes out after the socket is closed, too.
        var failure = _sender!.Failure;
        if (failure is SocketError.Success or SocketError.Shutdown) End(new LinkEnd(LinkCloseCause.EndOfStream, null));
        else End(failure);
    }

    private void End(LinkEnd end)
    {
        if (Interlocked.CompareExchange(ref _end, end, null) is null) _loop.Post(this, LoopCommand.Close);
    }

    private async Task DialAsync(SocketDialer dialer)
    {
        try
        {
            ObjectDisposedException.ThrowIf(!_loops.TryEnter(), typeof(EpollTransport));
            Volatile.Write(ref _holds, 1);
            var socket = await dialer.ConnectAsync().ConfigureAwait(false);
            Volatile.Write(ref _socket, new ConnectedSocket(socket));
        }
        catch (Exception e) // after Close this is a cancellation, and the end is decided already
        {
            End(LinkCloseCause.ConnectFailed, e);
            Leave();
            return;
        }

        _loop.Post(this, LoopCommand.Open);
    }

    private void Open()
    {
        if (IsOver || !TryWatch())
        {
            Leave();
            return;
        }

        _handler!.OnConnected();
    }

    private bool TryWatch()
    {
        var socket = _socket!;
        if (_dialer is not null) _remoteAddress = socket.DescribeRemote();
        _sender = new EpollSender(this, socket.Handle, _handler!);
        _receiver = new EpollReceiver(this, _loop, socket.Handle, _handler!);
        try
        {
            _loop.Add(this, socket.Handle, EpollFlags.Readable);
        }
        catch (IOException e)
        {
            End(LinkCloseCause.ConnectFailed, e);
            return false;
        }

        return _isWatched = true;
    }

    private void EndWatch()
    {
        _isWatched = false;
        _loop.Remove(this, _socket!.Handle);
        _receiver!.Release();
        Leave();
    }

    private void WatchLocked() =>
        _loop.Watch(this, _socket!.Handle, (_isPaused ? EpollFlags.None : EpollFlags.Readable) | (_awaitsRoom ? EpollFlags.Writable : EpollFlags.None));

    /// <summary>Lets a party in that is about to use the socket. False when it is given back, or about to be.</summary>
    private bool TryEnter() => _parties.TryEnter();

    private void Leave()
    {
        // A work item: the last to leave may be a thread inside a member, where the handler must not be called. And what the end of a connection sets off may
        // take its time, which the loop has not.
        if (_parties.Leave()) WorkQueue.OfProcess.Add(this);
    }

    /// <summary>Reports the end.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        Release();
        _handler!.OnClosed(_end!.Cause, _end.Error);
    }

    private void Release()
    {
        if (Interlocked.Exchange(ref _holds, 0) == 0) return;
        _socket?.Dispose();
        _loops.Leave();
    }

    private sealed class Dialing(EpollLink link) : IThreadPoolWorkItem
    {
        public void Execute() => _ = link.DialAsync(link._dialer!);
    }

    private sealed record LinkEnd(LinkCloseCause Cause, Exception? Error);
}
