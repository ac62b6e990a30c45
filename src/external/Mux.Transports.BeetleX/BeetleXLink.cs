using System.Diagnostics.CodeAnalysis;
using System.Net.Sockets;
using BeetleX.Buffers;
using Mux.Runtime;

namespace Mux.Transports.BeetleX;

/// <summary>
/// One connection over an <see cref="IPort"/>. It turns the events of BeetleX, which come on any thread and may be repeated, into the callbacks of a link.
/// </summary>
/// <remarks>
/// Code that may still call the handler is a party: the life of the link (from <see cref="Start"/> until the end is decided), a delivery, an OnWritable on its
/// way. The last party to leave causes <see cref="ILinkHandler.OnClosed"/>.
/// </remarks>
[SuppressMessage("Design", "CA1001:Types that own disposable fields should be disposable", Justification = "The event makes no wait handle: there is " +
    "nothing to dispose.")]
internal sealed class BeetleXLink : Link, IThreadPoolWorkItem
{
    private readonly Dialer? _dialer; // null for an accepted link
    private readonly ManualResetEventSlim _isOpen = new(); // also set by the end
    private readonly UnconsumedTail _tail = new();
    private ILinkHandler? _handler;
    private IPort? _port;
    private SendQueue? _sendQueue;
    private string _remoteAddress = string.Empty;
    private LinkEnd? _found; // the end that BeetleX reported, perhaps before the handler knows that the link is connected
    private LinkEnd? _end; // set once, by the first thread that finds the end
    private int _parties;
    private int _isOpening;
    private bool _isOpened;
    private int _isLifeOver;
    private volatile bool _delivering;

    /// <summary>Creates a link that connects when it is started.</summary>
    public BeetleXLink(Dialer dialer) => _dialer = dialer;

    /// <summary>Creates a link whose port its listener attaches.</summary>
    public BeetleXLink()
    {
    }

    public override string RemoteAddress => _remoteAddress;

    /// <inheritdoc/>
    public override bool HasUndeliveredInput => !IsOver && _isOpen.IsSet && (_delivering || HasInputWaiting());

    /// <summary>True if the end is decided. Nothing is received or sent from then on.</summary>
    public bool IsOver => Volatile.Read(ref _end) is not null;

    public override void Start(ILinkHandler handler)
    {
        _handler = handler;
        Interlocked.Exchange(ref _parties, 1);

        // End looks for parties after it is decided: so either this thread sees the end, or End sees this party.
        if (IsOver) EndLife();
        else ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    public override int Send(ReadOnlySpan<byte> bytes) => _sendQueue is { } queue ? queue.Send(bytes) : bytes.Length;

    public override void ShutdownSend() => _sendQueue?.Shutdown();

    public override void Close() => End(LinkEnd.Closed);

    /// <summary>Dials if there is no port yet, and opens the link.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        if (_dialer is null) Open();
        else _ = DialAsync(_dialer);
    }

    /// <summary>Sets the port that the link uses from now on. While dialing, each attempt brings another one.</summary>
    public void Attach(IPort port)
    {
        _sendQueue = new SendQueue(this, port);
        Interlocked.Exchange(ref _port, port);
        if (IsOver) port.Close(); // End may have looked for a port before
    }

    /// <summary>
    /// BeetleX has received bytes. Returns when they were delivered: BeetleX begins the next receive only then, which holds back a fast peer.
    /// </summary>
    public void OnArrived(PipeStream stream)
    {
        _ = StackDepth.IsGreat; // records the stack of this thread while it is not deep yet
        var buffers = stream.GetReadBuffers();
        if (_dialer is not null) Open();
        _isOpen.Wait(); // a peer may send before the link is started: one receive waits here
        if (buffers is null || !TryEnter()) return;
        if (!IsOver) Deliver(buffers);
        Leave();
    }

    /// <summary>BeetleX has sent the oldest buffer and no longer uses it.</summary>
    public void OnSent() => _sendQueue!.OnSent();

    /// <summary>Calls <see cref="ILinkHandler.OnWritable"/> soon, on another thread.</summary>
    public void QueueWritable()
    {
        if (!TryEnter()) return;
        ThreadPool.UnsafeQueueUserWorkItem(
            static link =>
            {
                if (!link.IsOver) link._handler!.OnWritable();
                link.Leave();
            },
            this,
            preferLocal: false);
    }

    /// <summary>BeetleX has ended the connection. <see cref="SocketError.Success"/> means that the peer's stream has ended.</summary>
    public void OnEnded(SocketError error)
    {
        if (IsOver) return;

        // If one operation finds that the peer is gone, BeetleX closes the socket. That aborts the other operation, which may report its error first.
        if (error is SocketError.OperationAborted) error = SocketError.Shutdown;
        OnEnded(error is SocketError.Success
            ? new LinkEnd(LinkCloseCause.EndOfStream, null)
            : new LinkEnd(SocketFailure.CauseOf(error), SocketFailure.ToException(_remoteAddress, error)));
    }

    /// <summary>The connection has ended for a reason that is not a socket error.</summary>
    public void OnEnded(LinkEnd end)
    {
        Interlocked.CompareExchange(ref _found, end, null);
        if (Volatile.Read(ref _isOpened)) End(end); // otherwise Open ends it: it sets the flag before it looks for an end
    }

    private async Task DialAsync(Dialer dialer)
    {
        try
        {
            var established = await dialer.ConnectAsync(this).ConfigureAwait(false);
            Open();
            established.Establish();
            if (IsOver) established.Close(); // Close was called before there was a socket to close
        }
        catch (Exception e) // after Close this is a cancellation, and the end is already decided
        {
            End(new LinkEnd(LinkCloseCause.ConnectFailed, e));
        }
    }

    /// <summary>
    /// Tells the handler once that the link is connected, and returns when it knows. The first bytes of a dialed link may arrive before the dialer knows.
    /// </summary>
    private void Open()
    {
        if (Interlocked.Exchange(ref _isOpening, 1) != 0)
        {
            _isOpen.Wait();
            return;
        }

        if (!TryEnter()) return;
        _port!.Prepare();
        _remoteAddress = _port.Socket is { } socket ? SocketEndPoints.DescribeRemote(socket) : string.Empty;
        if (!IsOver) _handler!.OnConnected();
        Volatile.Write(ref _isOpened, true);
        _isOpen.Set();
        Interlocked.MemoryBarrier();
        if (Volatile.Read(ref _found) is { } end) End(end);
        Leave();
    }

    private void Deliver(IBuffer first)
    {
        _delivering = true;
        IBuffer? buffer = first;
        do
        {
            if (_tail.TryDeliver(_handler!, buffer.Memory.Span[..buffer.Length])) buffer = buffer.Next;
            else End(new LinkEnd(LinkCloseCause.Failed,
                new InvalidOperationException("The link's handler consumed bytes it was not given, or left too many.")));
        }
        while (buffer is not null && !IsOver); // checked at the end: the link may have ended since the caller checked, and a batch needs a delivery

        _delivering = false;
        _handler!.OnBatchEnd();
    }

    /// <summary>Ends the link unless it has ended before. Closes the connection in any case.</summary>
    private void End(LinkEnd end)
    {
        Interlocked.CompareExchange(ref _end, end, null);
        _isOpen.Set();
        Volatile.Read(ref _port)?.Close();
        _dialer?.Cancel();
        if (Volatile.Read(ref _parties) > 0) EndLife();
    }

    private bool HasInputWaiting()
    {
        try
        {
            return _port?.Socket is { Available: > 0 };
        }
        catch (SocketException)
        {
            return false;
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }

    private bool TryEnter()
    {
        int parties = Volatile.Read(ref _parties);
        while (parties > 0)
        {
            int seen = Interlocked.CompareExchange(ref _parties, parties + 1, parties);
            if (seen == parties) return true;
            parties = seen;
        }

        return false;
    }

    private void EndLife()
    {
        if (Interlocked.Exchange(ref _isLifeOver, 1) == 0) Leave();
    }

    private void Leave()
    {
        // A separate work item: the last party may be inside Close or Send, or under a lock of BeetleX.
        if (Interlocked.Decrement(ref _parties) == 0) ThreadPool.UnsafeQueueUserWorkItem(static link => link.Report(), this, preferLocal: false);
    }

    private void Report()
    {
        _tail.Release();
        _handler!.OnClosed(_end!.Cause, _end.Error);
    }
}
