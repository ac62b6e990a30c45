using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// Connections of a pool that are dialed when a pause is over. They are few, because one dial follows a failure. The ticker ends the pause on its own thread: a
/// .NET timer would wait for a thread of the pool, which may be full of blocked code. Guarded by the lock of the connection pool, except <see cref="OnDue"/>.
/// </summary>
internal sealed class PausedDials(Clock clock, Action<long> onDue)
{
    private readonly DialSchedule _schedule = DialSchedule.For(clock);
    private readonly List<(Connection Connection, long At)> _paused = [];
    private long _due = Clock.Never;

    /// <summary>A pause is over. On the ticker's thread, without the lock.</summary>
    public void OnDue(long now) => onDue(now);

    /// <summary>Adds a connection to be dialed at <paramref name="at"/>, or a tick later.</summary>
    public void Add(Connection connection, long at)
    {
        _paused.Add((connection, at));
        Update();
    }

    /// <summary>Postpones all dials to <paramref name="at"/> or later.</summary>
    public void Postpone(long at)
    {
        for (int i = 0; i < _paused.Count; i++) _paused[i] = _paused[i] with { At = Math.Max(_paused[i].At, at) };
        Update();
    }

    /// <summary>Removes a connection.</summary>
    /// <returns>False if it is not paused.</returns>
    public bool TryRemove(Connection connection)
    {
        if (_paused.RemoveAll(paused => paused.Connection == connection) == 0) return false;
        Update();
        return true;
    }

    /// <summary>Takes the connections that are due.</summary>
    public List<Connection>? TakeDue(long now)
    {
        if (_due > now) return null; // postponed since the tick began
        List<Connection> due = [.. _paused.Where(paused => paused.At <= now).Select(paused => paused.Connection)];
        _paused.RemoveAll(paused => paused.At <= now);
        Update();
        return due;
    }

    /// <summary>Starts connections that need no pause. The lock is not held.</summary>
    public static void Start(List<Connection>? dialed)
    {
        foreach (var connection in dialed ?? []) connection.Start();
    }

    /// <summary>Starts connections that were due, on a thread that may block.</summary>
    public void StartFromTick(List<Connection> due) => _schedule.Start(due);

    private void Update()
    {
        _due = _paused.Count == 0 ? Clock.Never : _paused.Min(paused => paused.At);
        _schedule.Set(this, _due);
    }
}

/// <summary>
/// Decides when a channel dials its address again, and how many dials may run at once. One state serves all its connections, because a server that refuses one
/// of them refuses all. Pauses grow with the absence of the server, so it is found within a small share of that time. Not safe for concurrent use: the pool's
/// lock guards it.
/// </summary>
/// <param name="maxPause">The longest pause.</param>
/// <param name="random">Keeps many clients of one server from dialing at the same instant.</param>
internal sealed class BackoffPolicy(TimeSpan maxPause, Random random)
{
    /// <summary>
    /// Most concurrent dials while none fails. A server allows 64 unfinished handshakes per address and 256 in all: four channels on one address, or sixteen on
    /// several, can dial at full rate at the same time. At 1 ms per handshake, 16 dials open 1,000 connections within 63 ms.
    /// </summary>
    public const int MaxDials = 16;

    /// <summary>
    /// Microseconds after which an open connection counts as useful although it brought no reply: it may carry only streams or one-way calls. A server that
    /// ends every connection after this time is dialed about once in it, which does no harm.
    /// </summary>
    public const long UsefulAfter = 1_000_000;

    /// <summary>Microseconds for which a connection must last to show that the server refuses none any more.</summary>
    public const long LastsAfter = 10_000_000;

    private const long FirstPause = 100_000;

    /// <summary>
    /// Longest pause after refusals, in microseconds, unless that of other failures is longer: the server is there, and
    /// each connection costs it work.
    /// </summary>
    private const long LongestRefusedPause = 5_000_000;

    /// <summary>A pause is at most this fraction of the server's absence: 100 ms up to 3.2 s, 156 ms after 5 s, 1 s after 32 s.</summary>
    private const int ShareOfAbsence = 32;

    /// <summary>
    /// Longest time, in microseconds, for which a server may keep its clients away; or the longest pause if that is longer. A server of this project asks for
    /// 10 s. One that errs in the unit must not keep clients away for days.
    /// </summary>
    public const long LongestHold = 30_000_000;

    /// <summary>Microseconds between the times at which servers that take turns are dialed.</summary>
    private const long SharedInterval = 100_000;

    /// <summary>Where they begin. The clocks of all processes of a machine begin together, and their dials must not.</summary>
    private static readonly long s_phase = Random.Shared.NextInt64(SharedInterval);

    private readonly long _maxPause = Clock.Microseconds(maxPause);
    private long _awaySince = Clock.Never;
    private long _refusedSince = Clock.Never;
    private long _refusedAt; // the last refusal, if there was one since then
    private long _pausedUntil;
    private long _heldUntil;

    /// <summary>Most concurrent dials now: one after a failure, and twice as many after each that opens.</summary>
    public int Dials { get; private set; } = MaxDials;

    /// <summary>Earliest time of the next dial.</summary>
    public long NextDialAt => Math.Max(_pausedUntil, _heldUntil);

    /// <summary>A connection has opened. Whether it is useful shows later: see <see cref="Forget"/>.</summary>
    public void OnOpened() => Dials = Math.Min(2 * Dials, MaxDials);

    /// <summary>A connection was useful: earlier failures say nothing about later ones.</summary>
    public void Forget() => _awaySince = Clock.Never;

    /// <summary>
    /// A connection or dial has ended: called before its pause is asked for. Refusals alone make pauses longer than the
    /// longest one. They begin anew after a connection that lasted, an end of another kind that the server or the path
    /// has caused, and a time without refusals. An end that this side chose shows nothing of the server.
    /// </summary>
    /// <param name="end">Its end.</param>
    /// <param name="now">The current time.</param>
    /// <param name="openedAt">When the connection opened, or <see cref="Clock.Never"/>.</param>
    public void OnEnd(ConnectionEnd end, long now, long openedAt)
    {
        bool hasLasted = now - openedAt >= LastsAfter;
        if (!end.IsRefusal)
        {
            if (hasLasted || !end.IsOwnChoice) ForgetRefusals();
            return;
        }

        // After so long, the connection that followed the last refusal has lasted, or none was needed.
        bool isFirst = _refusedSince == Clock.Never || now - _refusedAt >= Math.Max(LongestRefusedPause, _maxPause) + LastsAfter;
        if (hasLasted || isFirst) _refusedSince = now;
        _refusedAt = now;
    }

    /// <summary>The server has served a connection to its end: earlier refusals say nothing about later ones.</summary>
    public void ForgetRefusals() => _refusedSince = Clock.Never;

    /// <summary>A connection that was useful was lost.</summary>
    /// <returns>
    /// Microseconds until the next dial: up to 100 ms, at random, because all clients of a server lose it at the same instant; longer if the server has asked
    /// for it.
    /// </returns>
    public long OnLost(long now)
    {
        _awaySince = now;
        return Pause(now, (long)(CeilingAt(now) * random.NextDouble()));
    }

    /// <summary>A dial failed, or its connection ended before it was useful.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="least">Microseconds of the ceiling at least, also if that is more than the longest pause: there are many servers to dial.</param>
    /// <returns>Microseconds until the next dial: at random in the upper half of the range; longer if the server has asked for it.</returns>
    public long OnFailed(long now, long least = 0)
    {
        if (_awaySince == Clock.Never) _awaySince = now;
        long ceiling = CeilingAt(now), pause = UpTo(Math.Max(ceiling, least));
        return Pause(now, least > ceiling ? pause + TimeToShared(now + pause) : pause);
    }

    /// <summary>The server has said when it may be dialed again. Up to 100 ms are added at random, because it may have told many clients.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="wait">The requested wait, microseconds.</param>
    /// <returns>Microseconds until the next dial.</returns>
    public long OnRetryAfter(long now, long wait)
    {
        long hold = Math.Min(wait, Math.Max(LongestHold, _maxPause)) + (long)(FirstPause * random.NextDouble());
        _heldUntil = Math.Max(_heldUntil, now + hold);
        Dials = 1;
        return NextDialAt - now;
    }

    /// <summary>Takes a pause at random from the upper half of its range.</summary>
    private long UpTo(long ceiling) => (long)(ceiling * (1 + random.NextDouble()) / 2);

    private long CeilingAt(long now)
    {
        long away = Math.Min(Math.Max(FirstPause, (now - _awaySince) / ShareOfAbsence), _maxPause);
        if (_refusedSince == Clock.Never) return away;
        return Math.Max(away, Math.Min((now - _refusedSince) / ShareOfAbsence, LongestRefusedPause));
    }

    /// <summary>
    /// Microseconds until the next of the times that servers which take turns share: a few dials at once cost less than
    /// one by one, where each wakes a thread and finds its caches cold.
    /// </summary>
    private static long TimeToShared(long time) => SharedInterval - ((time + s_phase) % SharedInterval);

    private long Pause(long now, long pause)
    {
        Dials = 1;
        _pausedUntil = now + pause;
        return NextDialAt - now;
    }
}

/// <summary>
/// When pools dial next, by time: one member of the ticker for all of them. A client may have a thousand servers that are away, and a tick looks at each member
/// of the ticker 100 times a second. Safe for concurrent use; its lock comes after that of a pool.
/// </summary>
/// <remarks>
/// Dials that are due together begin on one thread, one after the other: to wake a thread for each costs more than a
/// dial in vain. Where one blocks, in a transport or a log of the user, the next tick has another thread begin the rest.
/// </remarks>
internal sealed class DialSchedule : ITicked, IThreadPoolWorkItem
{
    /// <summary>Microseconds until another thread looks for dials that one has not begun.</summary>
    private const long LookInterval = 100_000;

    private static readonly ConditionalWeakTable<TimeProvider, DialSchedule> s_byProvider = [];

    private readonly Ticker _ticker;
    private readonly Lock _gate = new();
    private readonly PriorityQueue<PausedDials, long> _paused = new(); // each at most once
    private readonly ConcurrentQueue<Connection> _starting = new(); // due, and not begun
    private long _nextLook = Clock.Never; // at those that are not begun
    private long _nextDue = Clock.Never; // the ticker has this while there is one

    private DialSchedule(Clock clock) => _ticker = Ticker.For(clock);

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _nextDue);

    /// <summary>Gets the schedule of a clock: one per <see cref="TimeProvider"/>.</summary>
    public static DialSchedule For(Clock clock) => s_byProvider.GetValue(clock.Provider, _ => new DialSchedule(clock));

    /// <summary>Sets when a pool dials next: <see cref="Clock.Never"/> if it has no paused dial. Nothing of it is kept then.</summary>
    public void Set(PausedDials dials, long due)
    {
        lock (_gate)
        {
            _paused.Remove(dials, out _, out _);
            if (due != Clock.Never) _paused.Enqueue(dials, due);
            FindNextLocked();
        }
    }

    /// <summary>Begins dials that are due: on the clock of a test at once, and otherwise at the end of the tick.</summary>
    public void Start(List<Connection> due)
    {
        if (Ticker.MayNotBlock) due.ForEach(_starting.Enqueue);
        else PausedDials.Start(due);
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        while (TakeDue(now) is { } dials) dials.OnDue(now);
        if (!_starting.IsEmpty) WorkQueue.OfProcess.Add(this);
        lock (_gate)
        {
            _nextLook = _starting.IsEmpty ? Clock.Never : now + LookInterval;
            FindNextLocked();
        }
    }

    /// <summary>Begins what is due, on a thread that may block.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        var traces = ThreadTraces.OfCurrent();
        while (_starting.TryDequeue(out var connection))
        {
            FollowingWork.RunAfter(connection.LinkOfStart, static started => started.Start(), connection);
            traces.Remove(); // the next dial must not see what a transport or a log of the user left on the thread,
            EngineThread.AbsorbInterrupt(); // nor be lost to an interrupt
        }
    }

    private PausedDials? TakeDue(long now)
    {
        lock (_gate)
        {
            if (!_paused.TryPeek(out var dials, out long due) || due > now) return null;
            _paused.Dequeue();
            return dials;
        }
    }

    private void FindNextLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        long next = Math.Min(_nextLook, _paused.TryPeek(out _, out long due) ? due : Clock.Never);
        bool wasTicked = _nextDue != Clock.Never, isTicked = next != Clock.Never;
        Volatile.Write(ref _nextDue, next);
        if (isTicked == wasTicked) _ticker.Request(next);
        else if (isTicked) _ticker.Add(this);
        else _ticker.Remove(this);
    }
}
