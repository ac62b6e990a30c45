namespace Mux.Client;

/// <summary>
/// Decides how many connections an endpoint has. One more is dialed when calls wait at the peer's limit, or after three looks in a row that find contention.
/// It then has a second to prove itself, and drains if it brings too little. Pure, and not safe for concurrent use: one thread tells it what is seen.
/// </summary>
/// <param name="floor">The fewest connections.</param>
/// <param name="ceiling">The most connections.</param>
internal sealed class PoolGrowth(int floor, int ceiling)
{
    /// <summary>Time between two looks, microseconds.</summary>
    public const long LookTime = 100_000;

    /// <summary>Looks in a row that must find contention. One may be chance.</summary>
    public const int LooksToGrow = 3;

    /// <summary>Time in which a new connection must bring its gain, microseconds.</summary>
    public const long TrialTime = 1_000_000;

    /// <summary>What the work must rise to with a new connection, as a multiple: less is noise, which does not pay for a connection.</summary>
    public const double LeastGain = 1.05;

    /// <summary>Time after which an unneeded connection drains, microseconds.</summary>
    public const long UnneededTime = 60_000_000;

    /// <summary>Wait before a try after the first one in vain, microseconds. Each further one in vain doubles it.</summary>
    public const long FirstWait = 2_000_000;

    /// <summary>The longest such wait, microseconds: about 17 minutes.</summary>
    public const long LongestWait = FirstWait << 9;

    private const double MostBlocked = 0.5;
    private const double MostContended = 0.2;
    private const long LeastWaitOfCalls = 1_000;

    /// <summary>A connection stays needed while this part of the load is there that had filled the others: loads vary.</summary>
    private const double StillNeeded = 0.9;

    /// <summary>Looks may come a little early, and some on request: those do not count as one more.</summary>
    public const long LeastLookTime = LookTime * 9 / 10;

    private readonly Stack<(GrowthReason Reason, double Level)> _grown = []; // the load that filled the connections before each one that proved itself
    private readonly WorkRate _rate = new();
    private Phase _phase;
    private double _before; // the load before the connection on trial
    private long _failedBefore; // dials before that of the connection on trial
    private long _failedTrials; // that were seen
    private long _trialFrom;
    private long _trialWork;
    private int _looks; // in a row that found contention
    private long _lastLook = long.MinValue / 2;
    private long _neededAt;
    private long _notBefore = long.MinValue;
    private long _wait = FirstWait;

    private enum Phase
    {
        Steady,
        Dialing,
        Trial,
    }

    /// <summary>Why the last connection was dialed.</summary>
    public GrowthReason Reason { get; private set; }

    /// <summary>True if there is nothing to decide while no call is made: no connection is on trial or above the floor.</summary>
    public bool IsAtRest => _phase == Phase.Steady && _grown.Count == 0;

    /// <summary>True if calls that wait at the peer's limit would cause a dial now.</summary>
    public bool MayGrow(long now, int connections) => _phase == Phase.Steady && connections < ceiling && now >= _notBefore;

    /// <summary>True if a further connection is being dialed, or would be if calls found no room.</summary>
    public bool IsGrowing(in PoolLook look)
    {
        if (look.IsHeldBack && !look.IsDialing) return false;
        return _phase == Phase.Dialing || (look.Connections < ceiling && look.Now >= _notBefore);
    }

    /// <summary>Decides on what is seen. The step is then carried out before the next look; see <see cref="OnImpossible"/>.</summary>
    public GrowthStep Decide(in PoolLook look)
    {
        _rate.Add(look.Now, look.Work);
        if (look.FailedTrials != _failedTrials)
        {
            _failedTrials = look.FailedTrials;
            if (look.Connections > floor) return EndTrial(look.Now);
        }

        return _phase switch
        {
            Phase.Dialing => AwaitDial(look),
            Phase.Trial => Judge(look),
            _ => look.Connections > floor && IsUnneeded(look) ? Retire() : Watch(look),
        };
    }

    /// <summary>No connection could be dialed. Nothing is on trial: a failure of another dial must not cost a connection that has proved itself.</summary>
    public void OnImpossible() => _phase = Phase.Steady;

    private GrowthStep Watch(in PoolLook look)
    {
        if (!look.IsWhole || !MayGrow(look.Now, look.Connections))
        {
            _looks = 0;
            return GrowthStep.Stay;
        }

        if (look.IsAtLimit) return Grow(look, GrowthReason.CallLimit, look.OpenCalls);
        var reason = ReasonOf(look);
        if (reason == GrowthReason.None)
        {
            _looks = 0;
            return GrowthStep.Stay;
        }

        if (look.Now - _lastLook < LeastLookTime) return GrowthStep.Stay;
        _lastLook = look.Now;
        return ++_looks < LooksToGrow ? GrowthStep.Stay : Grow(look, reason, _rate.PerSecond);
    }

    private static GrowthReason ReasonOf(in PoolLook look)
    {
        if (look.OldestWait > Math.Max(LeastWaitOfCalls, look.RoundTrip)) return GrowthReason.WaitingCalls;
        if (look.BlockedShare > MostBlocked) return GrowthReason.BlockedSending;
        return look.ContendedShare > MostContended ? GrowthReason.Contention : GrowthReason.None;
    }

    private GrowthStep Grow(in PoolLook look, GrowthReason reason, double before)
    {
        (_phase, Reason, _before, _failedBefore, _looks) = (Phase.Dialing, reason, before, look.FailedDials, 0);
        return GrowthStep.Grow;
    }

    private GrowthStep AwaitDial(in PoolLook look)
    {
        if (look.FailedDials != _failedBefore) return GiveUp(look.Now); // the pool may be dialing again
        if (look.IsDialing || !look.IsWhole) return GrowthStep.Stay;
        if (look.Connections <= floor + _grown.Count)
        {
            _phase = Phase.Steady; // the pool could not dial
            return GrowthStep.Stay;
        }

        (_phase, _trialFrom, _trialWork) = (Phase.Trial, look.Now, look.Work);
        return GrowthStep.Stay;
    }

    private GrowthStep Judge(in PoolLook look)
    {
        bool isOver = look.Now - _trialFrom >= TrialTime;
        if (!look.IsWhole && !isOver) return GrowthStep.Stay; // one was lost and is dialed again

        // Slow calls end too seldom to be counted. At the limit the gain is that more of them are open, which is seen at once, be it one.
        bool isOfLimit = Reason == GrowthReason.CallLimit;
        if (!isOfLimit && !isOver) return GrowthStep.Stay;
        double now = isOfLimit ? look.OpenCalls : (look.Work - _trialWork) * 1e6 / (look.Now - _trialFrom);
        if (look.IsWhole && (isOfLimit ? now > _before : now >= LeastGain * _before) && now > 0)
        {
            _grown.Push((Reason, _before));
            (_phase, _neededAt, _wait) = (Phase.Steady, look.Now, FirstWait);
            return GrowthStep.Stay;
        }

        return isOver ? GiveUp(look.Now) : GrowthStep.Stay;
    }

    /// <summary>A new connection has opened and ended: dialed again it would do the same, and take calls with it.</summary>
    private GrowthStep EndTrial(long now)
    {
        if (_phase == Phase.Steady) _grown.TryPop(out _); // at the call limit it had proved itself at once
        return GiveUp(now);
    }

    private GrowthStep GiveUp(long now)
    {
        (_phase, _notBefore) = (Phase.Steady, now + _wait);
        _wait = Math.Min(2 * _wait, LongestWait);
        _rate.Clear();
        return GrowthStep.Shrink;
    }

    private bool IsUnneeded(in PoolLook look)
    {
        if (!_grown.TryPeek(out var last)) return false;
        double load = last.Reason == GrowthReason.CallLimit ? look.OpenCalls : _rate.PerSecond;
        if (load >= StillNeeded * last.Level && load > 0) _neededAt = look.Now;
        return look.Now - _neededAt >= UnneededTime;
    }

    private GrowthStep Retire()
    {
        _grown.Pop();
        _neededAt += UnneededTime; // the next one drains after the same time
        _looks = 0;
        _rate.Clear();
        return GrowthStep.Shrink;
    }
}

/// <summary>What is seen of the connections to one endpoint at one moment. Times are in microseconds.</summary>
internal readonly record struct PoolLook
{
    /// <summary>The moment.</summary>
    public required long Now { get; init; }

    /// <summary>Number of connections, including those that are lost and not dialed yet.</summary>
    public required int Connections { get; init; }

    /// <summary>True if all of them take calls.</summary>
    public required bool IsWhole { get; init; }

    /// <summary>True if a server asks for fewer calls: they must not reach it by a further connection.</summary>
    public bool IsHeldBack { get; init; }

    /// <summary>True if one is being dialed, or waits for that.</summary>
    public required bool IsDialing { get; init; }

    /// <summary>Number of dials that have failed so far.</summary>
    public long FailedDials { get; init; }

    /// <summary>Number of further connections so far that opened, and ended before they had lasted for a trial.</summary>
    public long FailedTrials { get; init; }

    /// <summary>Bytes sent and received so far. They grow with calls and with items of streams, in both directions.</summary>
    public required long Work { get; init; }

    /// <summary>Number of open calls.</summary>
    public int OpenCalls { get; init; }

    /// <summary>True if a call waits, and each connection has as many open calls as its peer allows at all times, or no windows for a stream.</summary>
    public bool IsAtLimit { get; init; }

    /// <summary>Age of the call that has waited longest to be sent; 0 if none waits.</summary>
    public long OldestWait { get; init; }

    /// <summary>Round trip to the peer; 0 if it was not measured.</summary>
    public long RoundTrip { get; init; }

    /// <summary>Share of the time since the last look in which a link refused bytes: 0 to 1, of the connection with the largest.</summary>
    public double BlockedShare { get; init; }

    /// <summary>Share of looks at the lock of a connection that found it taken: 0 to 1, of the connection with the largest.</summary>
    public double ContendedShare { get; init; }
}

/// <summary>Computes how much was done per second over the last second, from looks some 100 ms apart. Pure.</summary>
internal sealed class WorkRate
{
    /// <summary>The time over which the rate is computed, microseconds: a little more than ten looks, whose times vary.</summary>
    public const long Window = 1_050_000;

    private const int Places = 16;

    private readonly (long At, long Work)[] _looks = new (long, long)[Places];
    private int _first;
    private int _count;

    /// <summary>Work per second; 0 before the second look.</summary>
    public double PerSecond
    {
        get
        {
            if (_count < 2) return 0;
            var (oldest, newest) = (_looks[_first], _looks[(_first + _count - 1) % Places]);
            return newest.At == oldest.At ? 0 : (newest.Work - oldest.Work) * 1e6 / (newest.At - oldest.At);
        }
    }

    /// <summary>Notes the work done until now. If it has shrunk, a connection is gone, and what was noted before compares with nothing.</summary>
    public void Add(long now, long work)
    {
        if (_count > 0 && work < _looks[(_first + _count - 1) % Places].Work) Clear();
        if (_count == Places) DropFirst();
        _looks[(_first + _count++) % Places] = (now, work);
        while (now - _looks[_first].At > Window) DropFirst();
    }

    public void Clear() => (_first, _count) = (0, 0);

    private void DropFirst()
    {
        _first = (_first + 1) % Places;
        _count--;
    }
}

/// <summary>What a pool does next.</summary>
internal enum GrowthStep
{
    /// <summary>Nothing.</summary>
    Stay,

    /// <summary>Dials one more connection.</summary>
    Grow,

    /// <summary>Drains one connection, which got nothing done that the others could not.</summary>
    Shrink,
}

/// <summary>Why the connections of an endpoint are too few.</summary>
internal enum GrowthReason
{
    /// <summary>They are enough.</summary>
    None,

    /// <summary>Calls wait because as many are open as the peer allows, or streams because no windows are left for them.</summary>
    CallLimit,

    /// <summary>Calls wait longer than a round trip to be sent.</summary>
    WaitingCalls,

    /// <summary>The links take no bytes most of the time.</summary>
    BlockedSending,

    /// <summary>Threads often meet each other at the lock of a connection.</summary>
    Contention,
}
