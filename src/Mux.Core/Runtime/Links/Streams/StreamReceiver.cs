using System.Diagnostics;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>The receive loop of one link. Runs on one thread at a time, from the arrival of bytes until none are left.</summary>
/// <remarks>
/// The loop has an owner while it runs. While it waits it has none, and the end of the link may abandon it: the loop has then left as a party although its read
/// is pending, because a stream may take any time to end a read. When that read completes, its completion only returns the buffers.
/// </remarks>
internal sealed class StreamReceiver : IThreadPoolWorkItem
{
    // As in the portable engine: after this many turns without a wait, or this much time, the loop queues itself at the end of the pool's queue, so that a peer
    // that never pauses does not take a thread from waiting links.
    private const int TurnsPerWorkItem = 8;
    private static readonly long s_timePerWorkItem = Stopwatch.Frequency / 1000;

    // Values of _state.
    private const int Running = 0;
    private const int Waiting = 1;
    private const int Abandoned = 2;

    private readonly StreamLink _link;
    private readonly ByteInput _input;
    private readonly ILinkHandler _handler;
    private readonly Action _continue;
    private int _state;
    private bool _isReady; // bytes can be taken without waiting; set by the owner
    private bool _isPending; // a read is in progress; set by the owner
    private bool _hasDelivered; // since the last end of a batch; set by the owner
    private Exception? _failure; // failure of the input, reported when it is taken; set by the owner

    // True from before bytes are taken until they are delivered: they have left the stream but have not reached the handler.
    private volatile bool _delivering;

    public StreamReceiver(StreamLink link, ByteInput input, ILinkHandler handler)
    {
        _link = link;
        _input = input;
        _handler = handler;
        _continue = OnCompleted;
    }

    public bool HasUndeliveredInput => _delivering || _input.HasWaiting;

    /// <summary>Starts the loop; the first work item.</summary>
    public void Start()
    {
        if (!_link.IsOver) _isReady = Begin();
        Run();
    }

    void IThreadPoolWorkItem.Execute() => Run();

    /// <summary>Continues in place of a thread that is still in <see cref="ILinkHandler.OnReceived"/>.</summary>
    /// <returns>False if another thread has taken over from this one.</returns>
    public bool HandOver(int consumed)
    {
        Consume(consumed);
        _input.ShowAgain();
        if (!TryDeliver()) return false;
        EndTurn();
        return Run();
    }

    /// <summary>Makes a waiting loop leave because the link is over. Thread-safe; call once.</summary>
    public void Abandon()
    {
        if (Interlocked.CompareExchange(ref _state, Abandoned, Waiting) != Waiting) return;
        TryCancel();
        _link.Leave();
    }

    /// <summary>Handles a failed send: if the pending read would never notice, cancels it, or else ends the link at once.</summary>
    public void OnSendFailed()
    {
        if (_input.FindsBreak) return;
        bool isCancelled = TryCancel();
        if (!isCancelled && Volatile.Read(ref _state) == Waiting) _link.EndSending();
    }

    /// <returns>False if another thread has taken over from this one.</returns>
    private bool Run()
    {
        long start = Stopwatch.GetTimestamp();
        bool mayYield = !StreamScope.IsInDelivery;
        for (int turns = 0; ; turns++)
        {
            if (_isPending) // even if the link is over: a read's memory is returned only after the read has completed
            {
                BeginWait();
                return true;
            }

            if (_link.IsOver) break;
            if (mayYield && (turns == TurnsPerWorkItem || (turns > 0 && Stopwatch.GetTimestamp() - start >= s_timePerWorkItem)))
            {
                EnginePool.Queue(this);
                return true;
            }

            if (!TryTakeTurn()) return false;
        }

        Release();
        _link.Leave();
        return true;
    }

    /// <returns>False if another thread has taken over from this one.</returns>
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
            _isPending = _input.IsPending || !isTaken; // includes a read begun after the bytes were taken
            return isTaken;
        }
        catch (Exception e)
        {
            _link.EndReceiving(e);
            return false;
        }
    }

    /// <summary>Shows the handler all bytes taken.</summary>
    /// <returns>False if another thread has taken over from this one.</returns>
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
        if (!_input.TryConsume(consumed)) _link.EndUnsound();
    }

    /// <summary>Starts the next read before the batch ends, so that the handler can ask whether anything is left.</summary>
    private void EndTurn()
    {
        EngineThread.AbsorbInterrupt(); // of the code that ran in the delivery
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
        if (_link.IsOver) Abandon(); // the link may have ended before the state was set
        if (_link.HasSendFailed && !_input.FindsBreak) _link.EndSending();
        using var scope = StreamScope.Enter();
        _input.OnCompleted(_continue);
    }

    private void OnCompleted()
    {
        EngineThread.AbsorbInterrupt();
        if (Interlocked.CompareExchange(ref _state, Running, Waiting) != Waiting)
        {
            Release();
            return;
        }

        _isPending = false;
        _isReady = true;
        _delivering = true;
        if (StreamScope.MayRunHandler) Run();
        else EnginePool.Queue(this);
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
