using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Mux.Runtime;

/// <summary>
/// One timer for all deadlines of all connections on one clock: a call with a deadline writes a number into a table and needs no timer. Ticks come at most
/// every <see cref="Resolution"/>, never before something is due, and not at all while nothing is. Safe for concurrent use.
/// </summary>
/// <remarks>
/// All members tick on one thread, so none of them may run user code on it: a log that blocks would stop the deadlines of the whole process. Members ask
/// <see cref="MayNotBlock"/> and hand over what may block. On the clock of a test, whose thread is the ticker's, they need not.
/// </remarks>
internal sealed class Ticker
{
    /// <summary>
    /// 10 ms in microseconds. A deadline is noticed at most this late, plus the delay of the timer itself; and there are at most 100 scans a second.
    /// </summary>
    public const long Resolution = 10 * Clock.MicrosecondsPerMillisecond;

    /// <summary>A day in microseconds: a timer accepts at most 49 days. It fires early, finds nothing due, and is set again.</summary>
    private const long LongestWait = 24 * 60 * 60 * 1000 * Clock.MicrosecondsPerMillisecond;

    private static readonly ConditionalWeakTable<TimeProvider, Ticker> s_byProvider = [];

    [ThreadStatic]
    private static bool t_ticks;

    private readonly Clock _clock;
    private readonly Lock _gate = new(); // guards everything below, except the uses of _armedFor and _members that are explained there
    private readonly HashSet<ITicked> _ticked = [];
    private ITicked[] _members = []; // the copy of _ticked that the running tick walks through
    private bool _ticking;
    private bool _tickAgain;
    private ITimer? _timer;
    private long _armedFor = Clock.Never;
    private long _lastTick = long.MinValue;

    private Ticker(Clock clock) => _clock = clock;

    /// <summary>True on the thread that keeps the deadlines of the process.</summary>
    public static bool MayNotBlock => t_ticks;

    /// <summary>Gets the ticker of a clock: one per <see cref="TimeProvider"/>.</summary>
    public static Ticker For(Clock clock) => s_byProvider.GetValue(clock.Provider, _ => new Ticker(clock));

    /// <summary>Number of members; for tests.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _ticked.Count;
        }
    }

    public void Add(ITicked ticked)
    {
        lock (_gate) _ticked.Add(ticked);
        Request(ticked.NextDue);
    }

    public void Remove(ITicked ticked)
    {
        lock (_gate)
        {
            if (!_ticked.Remove(ticked) || _ticked.Count > 0) return;
            Volatile.Write(ref _armedFor, Clock.Never);
            if (_timer is ThreadTimer) return; // its thread may not start again in a process that has run out of files
            _timer?.Dispose(); // an idle process keeps no timer
            _timer = null;
        }
    }

    /// <summary>Requests a tick at <paramref name="due"/>. Costs one comparison if an earlier tick is already set.</summary>
    public void Request(long due)
    {
        Interlocked.MemoryBarrier(); // against a tick that has just disarmed: it sees the member's new time, or this thread sees that nothing is armed
        if (due >= Volatile.Read(ref _armedFor)) return;
        lock (_gate) ArmLocked(due);
    }

    private void ArmLocked(long due)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (due >= _armedFor || _ticked.Count == 0) return;
        long now = _clock.Now;
        long at = Math.Min(Math.Max(due, _lastTick + Resolution), now + LongestWait);
        if (at >= _armedFor) return;
        Volatile.Write(ref _armedFor, at);

        // A timer counts whole milliseconds and must not fire early; rounding up keeps a tick from finding nothing due.
        var wait = TimeSpan.FromMilliseconds((Math.Max(0, at - now) + Clock.MicrosecondsPerMillisecond - 1) / Clock.MicrosecondsPerMillisecond);
        if (_timer is null)
        {
            using var flow = ExecutionContext.SuppressFlow(); // the timer outlives the thread that started it
            _timer = ThreadTimer.TryStart(_clock.Provider, OnOwnTimer, wait)
                ?? _clock.Provider.CreateTimer(static state => ((Ticker)state!).OnTimer(), this, wait, Timeout.InfiniteTimeSpan);
        }
        else
        {
            _timer.Change(wait, Timeout.InfiniteTimeSpan);
        }
    }

    private void OnOwnTimer()
    {
        t_ticks = true; // the thread does nothing else
        OnTimer();
    }

    private void OnTimer()
    {
        long now = _clock.Now;
        int count;
        lock (_gate)
        {
            Volatile.Write(ref _armedFor, Clock.Never);
            Interlocked.MemoryBarrier(); // see Request
            if (_ticking)
            {
                _tickAgain = true; // the timer fired during a long tick
                return;
            }

            _ticking = true;
            _lastTick = now;
            count = _ticked.Count;
            if (_members.Length < count) _members = new ITicked[count * 2];
            _ticked.CopyTo(_members);
        }

        long next = Clock.Never;
        foreach (var member in _members.AsSpan(0, count))
        {
            long due = member.NextDue; // read once: there may be thousands of members, of which few are due
            if (due <= now)
            {
                member.OnTick(now);
                due = member.NextDue;
            }

            next = Math.Min(next, due);
        }

        _members.AsSpan(0, count).Clear();
        lock (_gate)
        {
            _ticking = false;
            if (_tickAgain) next = now;
            _tickAgain = false;
            ArmLocked(next);
        }
    }
}

/// <summary>
/// The place of a member in the ticker. One that waits to begin joins when something is due: a client may have a thousand servers that are away, and each tick
/// looks at each member. A field of its member, not copied. Guarded by the member's lock, except where it says otherwise.
/// </summary>
/// <param name="ticker">The ticker.</param>
internal struct TickPlace(Ticker ticker)
{
    private long _due = Clock.Never;
    private bool _isAway;

    /// <summary>Time of the next tick. Any thread.</summary>
    public readonly long Due => Volatile.Read(in _due);

    /// <summary>Joins the ticker. The lock need not be held.</summary>
    public void Join(ITicked member)
    {
        _isAway = false;
        ticker.Add(member);
    }

    /// <summary>Joins the ticker when something is due. Called before anything is.</summary>
    public void JoinWhenDue() => _isAway = true;

    /// <summary>Leaves the ticker. The lock need not be held.</summary>
    public readonly void Leave(ITicked member) => ticker.Remove(member);

    /// <summary>Requests a tick, unless there is an earlier one.</summary>
    public void Request(ITicked member, long due)
    {
        if (due < _due) Set(member, due);
    }

    /// <summary>Sets the next tick.</summary>
    public void Set(ITicked member, long due)
    {
        Volatile.Write(ref _due, due);
        if (due == Clock.Never) return;
        if (_isAway) Join(member);
        else ticker.Request(due);
    }
}

/// <summary>Acts when time has passed.</summary>
internal interface ITicked
{
    /// <summary>Time of the next action in microseconds of its <see cref="Clock"/>, or <see cref="Clock.Never"/>. Read from any thread.</summary>
    long NextDue { get; }

    /// <summary>
    /// Acts, without user code where <see cref="Ticker.MayNotBlock"/> is true. Called at <see cref="NextDue"/> or later, by one thread at a time. Afterwards
    /// <see cref="NextDue"/> lies in the future.
    /// </summary>
    void OnTick(long now);
}

/// <summary>
/// A timer with its own thread, which ends with the timer. .NET timers run on the thread pool: if that is full of blocked user code, no deadline would end a
/// call, and no keep-alive would be sent. Fires once per <see cref="Change"/>. Thread-safe.
/// </summary>
internal sealed class ThreadTimer : ITimer
{
    private readonly Action _fire;
    private readonly object _gate = new(); // not a Lock, which has no Wait
    private long _due; // milliseconds; long.MaxValue for never
    private bool _isDisposed;

    private ThreadTimer(Action fire, TimeSpan wait)
    {
        _fire = fire;
        _due = DueIn(wait);
    }

    /// <returns>Null if the provider is not the system's, or the system has no more threads.</returns>
    public static ITimer? TryStart(TimeProvider provider, Action fire, TimeSpan wait)
    {
        if (provider != TimeProvider.System) return null;
        var timer = new ThreadTimer(fire, wait);
        return EngineThread.TryStart(timer.Run, "Mux timer") ? timer : null;
    }

    /// <param name="dueTime">Whole milliseconds, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="period">Must be <see cref="Timeout.InfiniteTimeSpan"/>: periods are not supported.</param>
    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        if (period != Timeout.InfiniteTimeSpan) throw new NotSupportedException("The timer fires once: a period is not supported.");
        lock (_gate)
        {
            if (_isDisposed) return false;
            _due = DueIn(dueTime);
            Monitor.Pulse(_gate);
            return true;
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            Monitor.Pulse(_gate);
        }
    }

    public ValueTask DisposeAsync()
    {
        Dispose();
        return default;
    }

    // TickCount64 is rounded down, and a timer must not fire early: add 1.
    private static long DueIn(TimeSpan wait) => wait == Timeout.InfiniteTimeSpan ? long.MaxValue : Environment.TickCount64 + (long)wait.TotalMilliseconds + 1;

    private void Run()
    {
        while (AwaitDue()) _fire();
    }

    /// <returns>False once the timer is disposed.</returns>
    private bool AwaitDue()
    {
        lock (_gate)
        {
            while (!_isDisposed)
            {
                long left = _due == long.MaxValue ? Timeout.Infinite : Math.Max(0, _due - Environment.TickCount64);
                if (left == 0)
                {
                    _due = long.MaxValue;
                    return true;
                }

                EngineThread.AwaitPulse(_gate, (int)Math.Min(left, int.MaxValue));
            }

            return false;
        }
    }
}
