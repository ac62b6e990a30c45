namespace Mux.Runtime;

/// <summary>Pause after failed accepts: 50 ms, doubling to 1 s, until an accept succeeds. Not thread-safe.</summary>
internal struct AcceptBackoff
{
    // A lack of handles lasts until one is closed: shorter pauses only burn a core, longer ones are noticed by people.
    private static readonly TimeSpan s_first = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(1);

    private TimeSpan _last;

    /// <summary>Returns the pause after one more failure in a row.</summary>
    public TimeSpan Next()
    {
        if (_last == TimeSpan.Zero) _last = s_first;
        else if (_last < s_longest) _last = TimeSpan.FromTicks(Math.Min(_last.Ticks * 2, s_longest.Ticks));
        return _last;
    }

    /// <summary>Starts over after a successful accept.</summary>
    public void Reset() => _last = TimeSpan.Zero;
}
