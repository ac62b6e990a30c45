namespace Mux.Runtime;

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
