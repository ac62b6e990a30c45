using System.Diagnostics;

namespace Mux.Transports.Streams;

/// <summary>The receive loop of one link. Runs on one thread at a time, from bytes having come until none are left.</summary>
/// <remarks>
/// It has an owner while it runs. While it waits it has none, and the end of the link may abandon it: then it has left although its read is pending, because a
/// stream may take as long as it likes to end a read; whoever ends it then only gives back what the read used.
/// </remarks>
internal sealed class StreamReceiver : IThreadPoolWorkItem
{
    // As on the portable engine: after this many turns without having waited, or this much time, the loop goes to the end of the pool's queue, so that a link
    // whose peer never pauses does not keep a thread from the links that wait for one.
    private const int TurnsPerWorkItem = 8;
    private static readonly long s_timePerWorkItem = Stopwatch.Frequency / 1000;

    // The values of _state.
    private const int Running = 0;
    private const int Waiting = 1;
    private const int Abandoned = 2;

    private readonly StreamLink _link;
    private readonly ByteInput _input;
    private readonly ILinkHandler _handler;
    private readonly Action _continue;
    private int _state;
    private bool _isReady; // there is something to take without waiting; of the owner
    private bool _isPending; // a read is under way; of the owner
    private bool _hasDelivered; // since the last end of a batch; of the owner
    private Exception? _failure; // of the input, to be reported when it is taken; of the owner

    // From before bytes are taken until they were delivered: they are no longer in the stream and not yet the handler's.
    private volatile bool _delivering;

    public StreamReceiver(StreamLink link, ByteInput input, ILinkHandler handler)
    {
        _link = link;
        _input = input;
        _handler = handler;
        _continue = OnCompleted;
    }

    public bool HasUndeliveredInput => _delivering || _input.HasWaiting;

    /// <summary>The first work item.</summary>
    public void Start()
    {
        if (!_link.IsOver) _isReady = Begin();
        Run();
    }

    void IThreadPoolWorkItem.Execute() => Run();

    /// <summary>Goes on in the place of a thread that is in <see cref="ILinkHandler.OnReceived"/>.</summary>
    /// <returns>False when another thread has taken this one's place.</returns>
    public bool HandOver(int consumed)
    {
        Consume(consumed);
        _input.ShowAgain();
        if (!TryDeliver()) return false;
        EndTurn();
        return Run();
    }

    /// <summary>The link is over: if the loop waits, it has left. From any thread, once.</summary>
    public void Abandon()
    {
        if (Interlocked.CompareExchange(ref _state, Abandoned, Waiting) != Waiting) return;
        TryCancel();
        _link.Leave();
    }

    /// <summary>A send failed. Where the read would never notice, it ends soon, or the link at once.</summary>
    public void OnSendFailed()
    {
        if (_input.FindsBreak) return;
        bool isCancelled = TryCancel();
        if (!isCancelled && Volatile.Read(ref _state) == Waiting) _link.EndSending();
    }

    /// <returns>False when another thread has taken this one's place.</returns>
    private bool Run()
    {
        long start = Stopwatch.GetTimestamp();
        bool mayYield = !StreamScope.IsInDelivery;
        for (int turns = 0; ; turns++)
        {
            if (_isPending) // also of a link that is over: the memory that a read writes to is given back when it has ended
            {
                BeginWait();
                return true;
            }

            if (_link.IsOver) break;
            if (mayYield && (turns == TurnsPerWorkItem || (turns > 0 && Stopwatch.GetTimestamp() - start >= s_timePerWorkItem)))
            {
                ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
                return true;
            }

            if (!TryTakeTurn()) return false;
        }

        Release();
        _link.Leave();
        return true;
    }

    /// <returns>False when another thread has taken this one's place.</returns>
    private bool TryTakeTurn()
    {
        _delivering = true;
        _isReady = false;
        if (TryTake())
        {
            if (!TryDeliver()) return false;
            EndTurn();
        }

        _delivering = _isReady;
        return true;
    }

    private bool TryTake()
    {
        try
        {
            if (_failure is { } failure) throw failure;
            using var scope = StreamScope.Enter();
            bool isTaken = _input.TryTake();
            _isPending = _input.IsPending || !isTaken; // of what was begun behind bytes that are taken, too
            return isTaken;
        }
        catch (Exception e)
        {
            _link.EndReceiving(e);
            return false;
        }
    }

    /// <summary>Shows the handler all that was taken.</summary>
    /// <returns>False when another thread has taken this one's place.</returns>
    private bool TryDeliver()
    {
        while (!_link.IsOver && _input.TryShow(out var bytes))
        {
            _hasDelivered = _link.HasReceived = true;
            int consumed = _handler.OnReceived(bytes);
            if (consumed == Link.HandedOver) return false;
            Consume(consumed);
        }

        return true;
    }

    private void Consume(int consumed)
    {
        if (!_input.TryConsume(consumed))
        {
            _link.End(LinkCloseCause.Failed, new InvalidOperationException("The link's handler consumed bytes it was not given, or left too many."));
        }
    }

    /// <summary>Begins the next read before the batch ends, so that the handler may ask whether anything is left.</summary>
    private void EndTurn()
    {
        bool isAtEnd = _input.IsAtEnd;
        if (!isAtEnd && !_link.IsOver) _isReady = Begin();
        _delivering = _isReady;
        if (_hasDelivered) _handler.OnBatchEnd();
        _hasDelivered = false;
        if (isAtEnd) _link.EndOfStream();
    }

    private bool Begin()
    {
        try
        {
            using var scope = StreamScope.Enter();
            bool isReady = _input.Begin();
            _isPending = !isReady;
            return isReady;
        }
        catch (Exception e)
        {
            _failure = e;
            return true;
        }
    }

    private void BeginWait()
    {
        Interlocked.Exchange(ref _state, Waiting);
        if (_link.IsOver) Abandon(); // whoever ended it may have looked before
        if (_link.HasSendFailed && !_input.FindsBreak) _link.EndSending();
        using var scope = StreamScope.Enter();
        _input.OnCompleted(_continue);
    }

    private void OnCompleted()
    {
        if (Interlocked.CompareExchange(ref _state, Running, Waiting) != Waiting)
        {
            Release();
            return;
        }

        _isPending = false;
        _isReady = true;
        _delivering = true;
        if (StreamScope.MayRunHandler) Run();
        else ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private bool TryCancel()
    {
        using var scope = StreamScope.Enter();
        return _input.TryCancel();
    }

    private void Release()
    {
        using var scope = StreamScope.Enter();
        _input.Release();
    }
}
