using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>
/// A link around another: counts and announces what passes, and holds, loses, cuts, splits or breaks it when a test says so. All members may be called
/// at any time by any thread; faults act on the next byte.
/// </summary>
/// <remarks>
/// A link that is broken here ends for its handler with the cause the test wants; the peer sees its end of stream, as after <see cref="Link.Close"/>. The inner
/// link is always read: what is held back waits here, without bound.
/// </remarks>
public sealed class FaultingLink : Link, ILinkHandler
{
    private readonly Lock _gate = new(); // guards everything below but the counters
    private readonly Link _inner;
    private readonly ArrivedBytes _arrived = new();
    private readonly SortedSet<long> _splits = [];
    private ILinkHandler? _handler;
    private bool _isDraining; // one thread at a time calls the handler
    private bool _isConnectedDue;
    private bool _isWritableDue;
    private bool _isWritableOwed; // to a sender that was stopped here
    private (LinkCloseCause Cause, Exception? Error)? _end; // what the handler will be told
    private bool _isInnerClosed;
    private bool _isReported;

    private bool _holdsSends;
    private bool _dropsSends;
    private Exception? _sendFailure;
    private int _largestSend = int.MaxValue;
    private long _breakAfterSending = long.MaxValue;
    private bool _holdsReceives;
    private bool _dropsReceives;
    private Exception? _receiveFailure;
    private int _largestDelivery = int.MaxValue;
    private long _breakAfterReceiving = long.MaxValue;

    internal FaultingLink(Link inner, bool isDialed)
    {
        _inner = inner;
        IsDialed = isDialed;
    }

    public bool IsDialed { get; }

    /// <summary>Calls of <see cref="Link.Send"/>, whatever became of them.</summary>
    public Counter Sends { get; } = new("sends that reached the link");

    /// <summary>Bytes that went on to the inner link.</summary>
    public Counter Sent { get; } = new("bytes sent through the link");

    /// <summary>Bytes that came from the inner link, delivered or not.</summary>
    public Counter Arrived { get; } = new("bytes that arrived at the link");

    public Signal ShutdownReached { get; } = new("the sending direction was shut down");

    public Signal CloseReached { get; } = new("the link was closed");

    public override string RemoteAddress => _inner.RemoteAddress;

    /// <inheritdoc/>
    public override ReadOnlyMemory<byte> ChannelBinding => _inner.ChannelBinding;

    public override bool HasUndeliveredInput
    {
        get
        {
            lock (_gate) return _arrived.Waiting > 0 || _inner.HasUndeliveredInput;
        }
    }

    /// <summary>From now on sends are refused, as by a peer that does not read.</summary>
    public void HoldSends() => Change(() => _holdsSends = true);

    /// <summary>Lets sends go on, and tells who was refused.</summary>
    public void ReleaseSends() => Change(() =>
    {
        _holdsSends = false;
        _isWritableDue |= _isWritableOwed;
        _isWritableOwed = false;
    });

    /// <summary>From now on what is sent is accepted and lost, the end of the stream included.</summary>
    public void DropSends() => Change(() => _dropsSends = true);

    /// <summary>The next send breaks the link with <see cref="LinkCloseCause.Failed"/>.</summary>
    public void FailSends(Exception error) => Change(() => _sendFailure = error);

    /// <summary>From now on one send accepts at most this many bytes, at least 1.</summary>
    public void LimitSends(int largest) => Change(() => _largestSend = largest);

    /// <summary>
    /// The link breaks with <see cref="LinkCloseCause.Reset"/> when this many bytes were sent in all; the inner link has accepted exactly those.
    /// </summary>
    public void ResetAfterSending(long bytes) => Change(() => _breakAfterSending = bytes);

    /// <summary>From now on nothing is delivered, the end of the stream included.</summary>
    public void HoldReceives() => Change(() => _holdsReceives = true);

    /// <summary>Delivers what was held, and goes on.</summary>
    public void ReleaseReceives() => Change(() => _holdsReceives = false);

    /// <summary>From now on what arrives is lost, the end of the stream included.</summary>
    public void DropReceives() => Change(() => _dropsReceives = true);

    /// <summary>The next byte that arrives breaks the link with <see cref="LinkCloseCause.Failed"/> instead.</summary>
    public void FailReceives(Exception error) => Change(() => _receiveFailure = error);

    /// <summary>The link breaks with <see cref="LinkCloseCause.Reset"/> when this many bytes were delivered in all.</summary>
    public void ResetAfterReceiving(long bytes) => Change(() => _breakAfterReceiving = bytes);

    /// <summary>From now on one delivery has at most this many new bytes, each followed by its end of batch; 1 is byte by byte.</summary>
    public void SplitReceives(int largest) => Change(() => _largestDelivery = largest);

    /// <summary>A delivery ends at each of these positions, counted from the link's first byte.</summary>
    public void SplitReceivesAt(params ReadOnlySpan<long> positions)
    {
        lock (_gate)
        {
            foreach (long position in positions) _splits.Add(position);
        }
    }

    /// <summary>Breaks the link now.</summary>
    public void Break(LinkCloseCause cause, Exception? error)
    {
        lock (_gate) EndLocked(cause, error);
        _inner.Close();
        ThreadPool.UnsafeQueueUserWorkItem(static link => link.Drain(), this, preferLocal: false);
    }

    public override void Start(ILinkHandler handler)
    {
        _handler = handler;
        _inner.Start(this);
    }

    public override int Send(ReadOnlySpan<byte> bytes)
    {
        Sends.Add();
        int allowed;
        Exception? failure;
        lock (_gate)
        {
            failure = _sendFailure;
            if (_end is not null || _dropsSends) return bytes.Length;
            allowed = (int)Math.Min(Math.Min(bytes.Length, _largestSend), _breakAfterSending - Sent.Count);
            if (_holdsSends && failure is null)
            {
                _isWritableOwed = true;
                return 0;
            }
        }

        if (failure is not null)
        {
            Break(LinkCloseCause.Failed, failure);
            return bytes.Length;
        }

        int accepted = _inner.Send(bytes[..allowed]);
        Sent.Add(accepted);
        if (Sent.Count == _breakAfterSending)
        {
            Break(LinkCloseCause.Reset, new IOException("Reset by the test."));
            return bytes.Length;
        }

        // Stopped by the limit alone: the inner link owes nothing.
        if (accepted == allowed && accepted < bytes.Length) Change(() => _isWritableDue = true);
        return accepted;
    }

    public override void ShutdownSend()
    {
        ShutdownReached.Set();
        lock (_gate)
        {
            if (_dropsSends) return;
        }

        _inner.ShutdownSend();
    }

    public override void Close()
    {
        CloseReached.Set();
        Break(LinkCloseCause.Closed, null);
    }

    void ILinkHandler.OnConnected()
    {
        lock (_gate) _isConnectedDue = true;
        Drain();
    }

    int ILinkHandler.OnReceived(ReadOnlySpan<byte> bytes)
    {
        Exception? failure;
        lock (_gate)
        {
            failure = _receiveFailure;
            if (failure is null && !_dropsReceives) _arrived.Append(bytes);
        }

        Arrived.Add(bytes.Length);
        if (failure is not null) Break(LinkCloseCause.Failed, failure);
        return bytes.Length;
    }

    void ILinkHandler.OnBatchEnd() => Drain();

    void ILinkHandler.OnWritable() => _handler!.OnWritable();

    void ILinkHandler.OnClosed(LinkCloseCause cause, Exception? error)
    {
        lock (_gate)
        {
            _isInnerClosed = true;
            if (cause is LinkCloseCause.EndOfStream && _dropsReceives) return; // what is lost cannot end: only Close or Break ends the link
            EndLocked(cause, error);
        }

        Drain();
    }

    /// <summary>The first end wins, but the end of the stream is one only once it is delivered.</summary>
    private void EndLocked(LinkCloseCause cause, Exception? error)
    {
        if (_end is null or { Cause: LinkCloseCause.EndOfStream }) _end = (cause, error);
    }

    private void Change(Action change)
    {
        lock (_gate) change();

        // Not on this thread: it may be inside Send, or be the test's.
        ThreadPool.UnsafeQueueUserWorkItem(static link => link.Drain(), this, preferLocal: false);
    }

    /// <summary>Calls the handler until nothing is due. If another thread is at it, that one goes on.</summary>
    private void Drain()
    {
        lock (_gate)
        {
            if (_isDraining || _handler is null) return;
            _isDraining = true;
        }

        while (TakeDue() is { } due) due();
    }

    private Action? TakeDue()
    {
        lock (_gate)
        {
            if (_isReported) return Idle();
            if (_isConnectedDue)
            {
                _isConnectedDue = false;
                return _handler!.OnConnected;
            }

            if (_end is null or { Cause: LinkCloseCause.EndOfStream })
            {
                if (_isWritableDue)
                {
                    _isWritableDue = false;
                    return _handler!.OnWritable;
                }

                if (_holdsReceives) return Idle();
                if (_arrived.Waiting > 0) return Deliver(_arrived.Show(NextDeliveryLocked()));
            }

            if (!_isInnerClosed || _end is not { } end) return Idle();
            _isReported = true;
            return () => _handler!.OnClosed(end.Cause, end.Error);
        }

        Action? Idle()
        {
            _isDraining = false;
            return null;
        }
    }

    private int NextDeliveryLocked()
    {
        long most = Math.Min(Math.Min(_arrived.Waiting, _largestDelivery), _breakAfterReceiving - _arrived.Position);
        var before = _splits.GetViewBetween(_arrived.Position + 1, _arrived.Position + most);
        return (int)(before.Count > 0 ? before.Min - _arrived.Position : most);
    }

    private Action Deliver(ReadOnlyMemory<byte> bytes) => () =>
    {
        int consumed = _handler!.OnReceived(bytes.Span);
        bool isBroken;
        lock (_gate)
        {
            _arrived.Consume(consumed);
            isBroken = _arrived.Position == _breakAfterReceiving;
        }

        _handler.OnBatchEnd();
        if (isBroken) Break(LinkCloseCause.Reset, new IOException("Reset by the test."));
    };
}
