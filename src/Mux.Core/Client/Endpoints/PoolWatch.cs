using Mux.Engine;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// Looks at the connections of a pool every 100 ms while they are used, and carries out what <see cref="PoolGrowth"/> decides. Calls pay nothing for it: it
/// reads counters that exist, and samples the locks. It sleeps while nothing is sent. Safe for concurrent use; looks come on the ticker's thread.
/// </summary>
internal sealed class PoolWatch(IWatchedPool pool, int floor, int ceiling, Clock clock) : LoadWatch, ITicked
{
    /// <summary>
    /// Looks at the lock of a connection for each tick. A thread that came at these moments would have met another one, so their share is that of the
    /// calls that do. Sixteen, 1 us apart, cost the ticker 20 us in 100 ms.
    /// </summary>
    private const int Probes = 16;

    /// <summary>Iterations between two of them: more than the time for which the lock is held, so that they are independent.</summary>
    private const int ProbePause = 25;

    /// <summary>Looks without traffic after which it sleeps, or looks only once a second while a connection may become unneeded.</summary>
    private const int LooksToRest = 10;

    private const long RestTime = 1_000_000;

    private readonly Lock _gate = new(); // guards waking, sleeping and the end
    private readonly Ticker _ticker = Ticker.For(clock);
    private readonly PoolGrowth _growth = new(floor, ceiling);
    private readonly List<Connection> _connections = []; // of the look that is under way
    private long _nextLook = Clock.Never;
    private long _lastLook;
    private long _lastWork;
    private long _lastSent;
    private int _looksInVain;
    private volatile bool _isPending; // a step waits to be carried out
    private bool _isTicked; // it is a member of the ticker
    private bool _isDisposed;

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _nextLook);

    /// <summary>
    /// A connection has opened. Calls that wait on others are started again, as far as it then has no more calls than each other, and the next decision may
    /// follow. Calls that keep an order wait on: their keys move while none of their calls is open.
    /// </summary>
    public void OnOpened(Connection opened)
    {
        var connections = new List<Connection>();
        if (pool.List(connections) == 1 || connections.Count == 0) return; // the ordinary case, or they are lost again
        int fair = connections.Sum(connection => connection.Initiator.Load) / connections.Count;
        foreach (var connection in connections)
        {
            int most = Math.Min(connection.Initiator.WaitingCount, connection.Initiator.Load - fair);
            if (connection != opened && most > 0) connection.HandBackWaiting(most);
        }

        Wake();
        LookSoon();
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        if (_isPending)
        {
            Volatile.Write(ref _nextLook, now + PoolGrowth.LookTime);
            return;
        }

        var look = Look(now);
        bool isIdle = look.Work == _lastWork, isEarly = now - _lastLook < PoolGrowth.LeastLookTime;
        (_lastLook, _lastWork) = (now, look.Work);
        _looksInVain = isIdle ? _looksInVain + 1 : 0;
        bool couldGrow = _growth.MayGrow(now, look.Connections);
        var step = _growth.Decide(look);
        bool grew = IsGrowing;
        SetGrowing(_growth.IsGrowing(look));
        if (grew && !IsGrowing) WorkQueue.OfProcess.Add(new Farewell(pool));
        bool rests = _looksInVain >= LooksToRest;
        Volatile.Write(ref _nextLook, now + (rests ? RestTime : PoolGrowth.LookTime)); // before the next line, which may lead to an earlier look
        // A look on request that found no reason is followed by none before the ordinary one: each waiting call would ask for it.
        SetAsked((isEarly && couldGrow) || !_growth.MayGrow(now, look.Connections));
        if (step != GrowthStep.Stay) CarryOut(step);
        else if (rests && _growth.IsAtRest && look.OpenCalls == 0) Sleep();
    }

    /// <summary>Ends it.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            SetAwake(true); // nothing wakes it
            Volatile.Write(ref _nextLook, Clock.Never);
            _ticker.Remove(this);
        }
    }

    /// <inheritdoc/>
    protected override void Wake()
    {
        lock (_gate)
        {
            if (_isDisposed || _isTicked) return; // not the time of the next look, which LookSoon may change after it fell asleep
            _isTicked = true;
            SetAwake(true);
            _looksInVain = 0;
            Volatile.Write(ref _nextLook, clock.Now + PoolGrowth.LookTime);
            _ticker.Add(this); // under the lock, as its removal: no member is left behind
        }
    }

    /// <inheritdoc/>
    protected override void LookSoon()
    {
        if (NextDue == Clock.Never) return; // asleep or disposed; if it becomes so now, the next lines do nothing
        Volatile.Write(ref _nextLook, 0);
        _ticker.Request(0);
    }

    private void Sleep()
    {
        lock (_gate)
        {
            if (_isDisposed) return;
            Volatile.Write(ref _nextLook, Clock.Never);
            _ticker.Remove(this); // the ticker must not keep a channel that is not used
            _isTicked = false;
            SetAwake(false);
        }
    }

    private PoolLook Look(long now)
    {
        int wanted = pool.List(_connections);
        var (unopened, failedDials, failedTrials) = pool.CountDials();
        bool isWhole = _connections.Count == wanted, isAtLimit = true, isHeldBack = false;
        int open = 0, waiting = 0;
        long work = 0, sent = 0, mostBlocked = 0, roundTrip = 0;
        double contended = 0;
        foreach (var connection in _connections)
        {
            if (connection.State != ConnectionState.Open || !connection.TakesCalls)
            {
                isWhole = false;
                continue;
            }

            var initiator = connection.Initiator;
            int waits = initiator.WaitingCount;
            open += initiator.OpenCount;
            waiting += waits;
            sent += initiator.Started - waits;
            work += connection.Sent.Bytes + connection.Received.Bytes;
            isAtLimit &= initiator.Slots.Count >= initiator.Slots.Limit || initiator.Streams.IsFull;
            isHeldBack |= initiator.Slots.IsLeased; // a server that asks for fewer calls must not get them on another connection
            contended = Math.Max(contended, Probe(connection.Gate));
            lock (connection.Gate)
            {
                mostBlocked = Math.Max(mostBlocked, connection.Timers.TakeBlockedTime(now));
                roundTrip = Math.Max(roundTrip, connection.RoundTrip.Shortest);
            }
        }

        _connections.Clear(); // it must not keep what ends
        long passed = Math.Max(1, now - _lastLook);
        long left = sent - _lastSent;
        _lastSent = sent;
        return new PoolLook
        {
            Now = now,
            Connections = wanted,
            IsWhole = isWhole && !isHeldBack,
            IsHeldBack = isHeldBack,
            IsDialing = unopened > 0,
            FailedDials = failedDials,
            FailedTrials = failedTrials,
            Work = work,
            OpenCalls = open,
            IsAtLimit = isAtLimit && waiting > 0,
            // Little's law: the last of the waiting calls waits until all before it have left at this rate. No call needs a clock for it.
            OldestWait = waiting == 0 ? 0 : left <= 0 ? passed : (long)((double)waiting / left * passed),
            RoundTrip = roundTrip,
            BlockedShare = mostBlocked / (double)passed,
            ContendedShare = contended,
        };
    }

    private static double Probe(Lock gate)
    {
        int taken = 0;
        for (int i = 0; i < Probes; i++)
        {
            if (gate.TryEnter()) gate.Exit();
            else taken++;
            Thread.SpinWait(ProbePause);
        }

        return taken / (double)Probes;
    }

    private void CarryOut(GrowthStep step)
    {
        _isPending = true;
        var work = new Step(this, step, _growth.Reason);
        if (Ticker.MayNotBlock) WorkQueue.OfProcess.Add(work); // it dials, sends and logs
        else work.Execute();
    }

    /// <summary>No further connection comes: streams that have waited for one are started again, where there are windows, or are refused in words.</summary>
    private sealed class Farewell(IWatchedPool pool) : IThreadPoolWorkItem
    {
        public void Execute()
        {
            var connections = new List<Connection>();
            pool.List(connections);
            foreach (var connection in connections)
            {
                if (connection.Initiator is { WaitingCount: > 0 and var waiting, Streams.IsFull: true }) connection.HandBackWaiting(waiting);
            }
        }
    }

    private sealed class Step(PoolWatch watch, GrowthStep step, GrowthReason reason) : IThreadPoolWorkItem
    {
        public void Execute() => watch.Execute(step, reason);
    }

    private void Execute(GrowthStep step, GrowthReason reason)
    {
        bool isDone = true;
        if (step == GrowthStep.Grow) isDone = pool.Grow(reason);
        else pool.Shrink();
        if (!isDone) _growth.OnImpossible(); // no look decides while the step is pending
        _isPending = false;
        if (isDone) LookSoon(); // otherwise the next ordinary look is soon enough to try again
    }
}

/// <summary>A pool as its watch sees it. Safe for concurrent use.</summary>
internal interface IWatchedPool
{
    /// <summary>Adds the connections that it has now, open or not.</summary>
    /// <returns>Number of connections that it should have.</returns>
    int List(List<Connection> connections);

    /// <summary>
    /// Number of connections that are dialed or wait to be, of dials that have failed, and of further connections that opened and did not last.
    /// </summary>
    (int Unopened, long FailedDials, long FailedTrials) CountDials();

    /// <summary>Dials one connection more than there are. On a thread that may block.</summary>
    /// <returns>False if it could not, and has the connections that it had: another dial is under way, or it is disposed.</returns>
    bool Grow(GrowthReason reason);

    /// <summary>Has one connection less from now on, which ends when its calls have ended. On a thread that may block.</summary>
    void Shrink();
}
