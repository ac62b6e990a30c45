namespace Mux.Runtime;

/// <summary>
/// Measures user code in a turn with few clock readings. The time between two readings is charged to the code that ran in it, if all of it was of one kind. If
/// different kinds ran and took too long, the next calls are measured one by one to find the expensive kind. Turn only.
/// </summary>
/// <remarks>
/// On an overloaded machine, threads are suspended for milliseconds again and again, and cheap code would look expensive. So a window that took suspiciously
/// long is examined: the system tells whether the thread has waited, or how much processor time it used, since an earlier reading, and only that is charged.
/// Readings cost a microsecond. There is one per suspicious window, and for <see cref="WatchTime"/> after one at most one per <see cref="ReadPause"/>, a
/// thousandth of the time, and <see cref="CloseLooks"/> more. Between two readings other windows may have run; they were short, so their processor time is
/// their time.
/// </remarks>
/// <param name="readUsage">Reads the system's figures of the thread; null if there are none, so that all time is charged.</param>
internal sealed class CostWindow(Func<ThreadUsage>? readUsage)
{
    /// <summary>Number of calls measured one by one after a mixed window that took too long: four windows.</summary>
    private const int CallsInDetail = 64;

    /// <summary>
    /// Length in microseconds above which a window may have been interrupted: a third of the shortest time slice that other threads usually get.
    /// </summary>
    private const long Suspicious = 1_000;

    /// <summary>Time in microseconds for which readings are taken after a suspicious window.</summary>
    private const long WatchTime = 1_000_000;

    /// <summary>
    /// Least time in microseconds between two readings at the start of windows. A reading is used for all windows until the next one or the next wait of the
    /// thread, so a busy thread needs none before each window.
    /// </summary>
    private const long ReadPause = 1_000;

    /// <summary>
    /// Number of readings after a long window that are taken although the last one is not old, because the thread has waited since: a long window that follows
    /// can then be charged. They cost some 30 us for each preemption.
    /// </summary>
    private const int CloseLooks = 32;

    /// <summary>Most bytes that count for a later window: the longest message that is handled in the turn.</summary>
    private const int MostCarried = 128 * 1024;

    private Placement? _code;
    private bool _isMixed;
    private int _calls;
    private int _carried; // bytes received in windows without a call
    private int _closeLooks;
    private long _since;
    private int _inDetail;
    private long _watchUntil = long.MinValue;
    private ThreadUsage _usage;
    private long _readAt = long.MinValue / 2; // far from any time, without overflow
    private bool _isUsageKnown; // true if the thread has waited nowhere but in user code since the reading

    /// <summary>Creates a window for real threads.</summary>
    public CostWindow()
        : this(ThreadUsage.IsKnown ? ThreadUsage.Read : null)
    {
    }

    /// <summary>True if the clock should be read after each call.</summary>
    public bool WantsDetail => _inDetail > 0;

    /// <summary>Counts user code that is about to run.</summary>
    /// <param name="code">Kind of the code.</param>
    /// <param name="runs">Number of messages: a stream consumer takes several in one run.</param>
    public void Count(Placement? code, int runs = 1)
    {
        bool isFirst = _calls == 0;
        _calls += runs;
        if (_code == code) return;
        if (isFirst) _code = code;
        else _isMixed = true;
    }

    /// <summary>Starts a window at the beginning of a delivery.</summary>
    public void Begin(long now) => Restart(now);

    /// <summary>Charges the time since the last clock reading and starts the next window.</summary>
    /// <param name="now">Time in microseconds.</param>
    /// <param name="bytes">
    /// Number of bytes received in the window. Joining and decoding them takes time for which the code of its calls is not to blame. A message may arrive in
    /// windows without a call: its whole cost falls into the last one.
    /// </param>
    public void Close(long now, int bytes)
    {
        bytes += _carried;
        _carried = _calls > 0 ? 0 : Math.Min(bytes, MostCarried);
        if (_calls > 0)
        {
            long elapsed = now - _since, allowed = Placement.AllowedFor(_calls, bytes);
            if (elapsed > Suspicious && readUsage is not null) elapsed = Examine(elapsed, allowed, now);
            if (_inDetail > 0) _inDetail = Math.Max(0, _inDetail - _calls);
            if (!_isMixed) _code?.OnInline(elapsed, _calls, allowed);
            else if (elapsed > allowed) _inDetail = CallsInDetail;
        }

        Restart(now);
    }

    /// <summary>The thread waits outside user code before the next window: what it has waited tells nothing of user code then.</summary>
    public void ForgetUsage() => _isUsageKnown = false;

    /// <returns>The time to charge.</returns>
    private long Examine(long elapsed, long allowed, long now)
    {
        _watchUntil = now + WatchTime;
        _closeLooks = CloseLooks;
        var (before, readAt, isKnown) = (_usage, _readAt, _isUsageKnown);
        Read(now);
        if (!isKnown) return allowed; // the next windows are watched
        if (_usage.HasWaitedSince(before)) return elapsed;
        return Math.Clamp(_usage.Processor - before.Processor - (_since - readAt), 0, elapsed);
    }

    private void Restart(long now)
    {
        _since = now;
        _calls = 0;
        _isMixed = false;
        if (now >= _watchUntil) return;
        if (now - _readAt >= ReadPause) Read(now);
        else if (!_isUsageKnown && _closeLooks-- > 0) Read(now);
    }

    private void Read(long now)
    {
        _usage = readUsage!();
        _readAt = now;
        _isUsageKnown = true;
    }
}

/// <summary>Clock readings taken when a look at waiting work begins, for code under the lock of the queue. Used by the monitor alone.</summary>
internal sealed class ClockReadings
{
    /// <summary>Number of readings after which unused clocks are dropped: more than the looks of one round.</summary>
    private const int KeptReadings = 64;

    private readonly HashSet<IWorkClock> _known = []; // most processes have one clock
    private readonly HashSet<IWorkClock> _asked = []; // since clocks were last dropped
    private readonly Dictionary<IWorkClock, long> _readings = [];
    private IWorkClock? _last;
    private long _lastReading;
    private int _count;

    /// <summary>Reads all known clocks. No lock may be held.</summary>
    public void Read()
    {
        if (++_count % KeptReadings == 0)
        {
            _known.IntersectWith(_asked);
            _asked.Clear();
        }

        _last = null;
        _readings.Clear();
        foreach (var clock in _known) _readings.Add(clock, clock.Now);
    }

    /// <returns>False if the clock was not known; it is read for the next look.</returns>
    public bool TryGet(IWorkClock clock, out long now)
    {
        now = _lastReading;
        if (clock == _last) return true;
        _asked.Add(clock);
        if (!_readings.TryGetValue(clock, out now))
        {
            _known.Add(clock);
            return false;
        }

        (_last, _lastReading) = (clock, now);
        return true;
    }
}

/// <summary>The clock of deadlines of work. It may be user code, so it is read without a lock.</summary>
internal interface IWorkClock
{
    /// <summary>Microseconds since an arbitrary start.</summary>
    long Now { get; }
}
