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
