using System.Diagnostics;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Mux.Transports;
using Mux.Transports.Epoll;

namespace Mux.Runtime;

/// <summary>
/// One connection from <see cref="Link.Start"/> to <see cref="ILinkHandler.OnClosed"/>. Its <see cref="EpollReceiver"/> and <see cref="EpollSender"/> move the
/// bytes.
/// </summary>
/// <remarks>
/// The loop watches an open link. Parties are the loop (before it, the dialing) and every thread inside a member that uses the socket. The thread that finds
/// the end posts it to the loop, and the loop leaves. The last party to leave closes the socket, so that the descriptor cannot be reused while a thread still
/// uses it.
/// </remarks>
#pragma warning disable CA1001 // A link ends itself: its socket is disposed by the last party that leaves.
internal sealed class EpollLink : EngineLink, ILoopSource, ICarrierLink
#pragma warning restore CA1001
{
    private readonly EventLoopGroup _loops;
    private readonly EventLoop _loop;
    private readonly ILogger _logger;
    private SocketDialer? _dialer; // null for an accepted link, and once the link is connected
    private ConnectedSocket? _socket; // set before the loop becomes a party; never changed afterwards
    private EpollReceiver? _receiver;
    private EpollSender? _sender;
    private string _remoteAddress = string.Empty;
    private Func<bool>? _isDisposed; // of the transport; null like the dialer
    private int _holds; // 1 while the link holds a use of the loops and, if connected, a socket
    private bool _isWatched; // owned by the loop

    private readonly Lock _watchGate = new(); // guards the events that the socket is watched for
    private bool _isPaused;
    private bool _awaitsRoom;

    /// <summary>Creates a link that connects when it is started, unless its transport is disposed by then: loops that are shared do not end with it.</summary>
    public EpollLink(EventLoopGroup loops, EventLoop loop, Func<bool> isDisposed, SocketDialer dialer, ILogger logger)
    {
        _isDisposed = isDisposed;
        _loops = loops;
        _loop = loop;
        _dialer = dialer;
        _logger = logger;
    }

    /// <summary>Creates a link over an accepted socket. Takes ownership of the socket and of one use of the loops.</summary>
    public EpollLink(EventLoopGroup loops, EventLoop loop, Socket socket, ILogger logger)
    {
        _loops = loops;
        _loop = loop;
        _socket = new ConnectedSocket(socket);
        _remoteAddress = SocketEndPoints.DescribeRemote(socket); // logs also name links that are never started
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

    public override bool CanHandOver => true;

    ulong ILoopSource.Registration { get; set; }

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        if (!TryEnter()) return bytes.Length;
        int accepted = _sender!.Send(bytes);
        Leave();
        return accepted;
    }

    public override int SendPieces(ReadOnlySpan<ReadOnlyMemory<byte>> pieces)
    {
        if (!TryEnter()) return EpollSender.LengthOf(pieces);
        int accepted = _sender!.SendPieces(pieces);
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

    /// <summary>Starts or stops watching for room to send. Called by a party or by the loop.</summary>
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
        if (IsOver) return true; // the close command is posted already
        if ((flags & EpollFlags.Writable) != 0) _sender!.OnRoom();
        if ((flags & ~EpollFlags.Writable) == 0 || IsOver) return true;
        if (!Volatile.Read(ref _isPaused)) return _receiver!.Receive();
        if ((flags & EpollFlags.Broken) != 0) End(SocketError.ConnectionReset); // otherwise the kernel would report it again and again
        return true;
    }

    void ILoopSource.OnCommand(LoopCommand command)
    {
        if (command == LoopCommand.Open) BeginWatch();
        else if (command == LoopCommand.Close && _isWatched) EndWatch();
    }

    public void OnFault(Exception error)
    {
        EpollTransportLog.LinkFault(_logger, error, _remoteAddress);
        End(LinkCloseCause.Failed, error);
    }

    /// <summary>Ends the link after a failed operation on the connected socket.</summary>
    public void End(SocketError error)
    {
        if (!IsOver) End(SocketFailure.CauseOf(error), SocketFailure.ToException(_remoteAddress, error));
    }

    /// <summary>Ends the link because the peer has ended its stream.</summary>
    public void EndOfStream()
    {
        // A failed send consumes the error of a broken connection, so the next receive only finds the end of the stream. EPIPE alone is no error: it says that
        // the peer has ended its stream and no longer reads. The kernel still delivers accepted bytes after the socket is closed.
        var failure = _sender!.Failure;
        if (failure is SocketError.Success or SocketError.Shutdown) End(LinkCloseCause.EndOfStream, null);
        else End(failure);
    }

    protected override void Begin()
    {
        if (_dialer is null) _loop.Post(this, LoopCommand.Open);
        else if (!FollowingWork.TryAdd(this)) Queue();
    }

    protected override void Queue() => WorkQueue.OfProcess.Add(this); // the .NET pool may be full of blocked user code

    protected override bool Open()
    {
        if (Volatile.Read(ref _socket) is null) return Connect(DialAsync(_dialer!));
        _loop.Post(this, LoopCommand.Open);
        return false;
    }

    protected override void Stop(bool isClosed)
    {
        _loop.Post(this, LoopCommand.Close);
        if (!isClosed) return;
        _dialer?.Cancel();
        if (Volatile.Read(ref _socket) is not { } socket || !TryEnter()) return;
        Libc.ShutdownSend(socket.Handle); // tells the peer now, even while a handler holds up the loop
        Leave();
    }

    protected override void Release()
    {
        if (Interlocked.Exchange(ref _holds, 0) == 0) return;
        _socket?.Dispose();
        _loops.Leave();
    }

    private async Task<Exception?> DialAsync(SocketDialer dialer)
    {
        if (_isDisposed?.Invoke() == true || !_loops.TryEnter()) throw Disposed();
        Volatile.Write(ref _holds, 1);
        var (socket, failure) = await dialer.ConnectAsync().InPlace();
        if (socket is not null) Volatile.Write(ref _socket, new ConnectedSocket(socket));
        return failure;
    }

    /// <summary>Names the transport, because that is the object its user has disposed. By name: a link does not know its transport.</summary>
    private static ObjectDisposedException Disposed() => new(nameof(EpollTransport));

    private void BeginWatch()
    {
        if (IsOver || !TryWatch())
        {
            Leave();
            return;
        }

        Handler.OnConnected();
    }

    private bool TryWatch()
    {
        var socket = _socket!;
        if (_dialer is not null)
        {
            _remoteAddress = socket.DescribeRemote();
            (_dialer, _isDisposed) = (null, null); // idle connections do not keep what only the dialing needs
        }

        _sender = new EpollSender(this, socket.Handle, Handler);
        _receiver = new EpollReceiver(this, _loop, socket.Handle, Handler);
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

    private void WatchLocked()
    {
        Debug.Assert(_watchGate.IsHeldByCurrentThread);
        _loop.Watch(this, _socket!.Handle, (_isPaused ? EpollFlags.None : EpollFlags.Readable) | (_awaitsRoom ? EpollFlags.Writable : EpollFlags.None));
    }
}

/// <summary>
/// The sending side of one link. Hands bytes to the kernel on the caller's thread; while the kernel accepts no more, the loop watches for room. Copies nothing:
/// the kernel delivers what it has accepted.
/// </summary>
internal sealed class EpollSender(EpollLink link, int socket, ILinkHandler handler)
{
    // 1 from a short send until OnWritable: the loop watches for room, and no send is tried. Set by Send (one thread at a time), cleared by the loop.
    private int _isStuck;

    // The first error, kept for the loop. All later bytes are accepted and dropped.
    private volatile SocketError _failure;

    /// <summary><see cref="SocketError.Success"/> until a send fails.</summary>
    public SocketError Failure => _failure;

    /// <inheritdoc cref="Link.Send"/>
    public int Send(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty || DropsAll) return bytes.Length;
        if (IsStuck) return 0;
        int sent = Libc.Send(socket, bytes, out int error);
        return sent == bytes.Length ? sent : OnRefused(sent, bytes.Length, error);
    }

    /// <inheritdoc cref="Link.SendPieces"/>
    public int SendPieces(ReadOnlySpan<ReadOnlyMemory<byte>> pieces)
    {
        int length = LengthOf(pieces);
        if (DropsAll) return length;
        if (IsStuck) return 0;
        int sent = Libc.SendPieces(socket, pieces, out int error);
        return sent == length ? sent : OnRefused(sent, length, error);
    }

    public static int LengthOf(ReadOnlySpan<ReadOnlyMemory<byte>> pieces)
    {
        int length = 0;
        foreach (var piece in pieces) length += piece.Length;
        return length;
    }

    /// <summary>Called by the loop when the socket has room.</summary>
    public void OnRoom()
    {
        // The watch first, then the flag: once the flag is cleared, a send on another thread may set both again.
        link.AwaitRoom(isWanted: false);
        if (Interlocked.Exchange(ref _isStuck, 0) != 0 && !link.IsOver) handler.OnWritable();
    }

    private bool DropsAll => _failure is not SocketError.Success || link.IsOver;

    /// <summary>True until <see cref="OnRoom"/>.</summary>
    private bool IsStuck => Volatile.Read(ref _isStuck) != 0;

    /// <summary>The kernel has accepted fewer bytes than it was given, or failed.</summary>
    /// <returns>The number of bytes accepted.</returns>
    private int OnRefused(int sent, int length, int error)
    {
        if (sent >= 0 || error == Errno.Again)
        {
            WaitForRoom();
            return Math.Max(sent, 0);
        }

        Fail(Errno.ToSocketError(error));
        return length;
    }

    private void WaitForRoom()
    {
        Volatile.Write(ref _isStuck, 1);
        link.AwaitRoom(isWanted: true); // fires at once if there is room by now
    }

    private void Fail(SocketError error)
    {
        _failure = error;

        // A broken connection wakes the loop, which first delivers what the peer sent before. Any other error must end the link here, or the loop would keep
        // waiting.
        if (SocketFailure.CauseOf(error) is not LinkCloseCause.Reset) link.End(error);
    }
}
