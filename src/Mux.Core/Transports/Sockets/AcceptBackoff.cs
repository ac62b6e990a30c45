namespace Mux.Transports.Sockets;

/// <summary>How long to wait after failed accepts: 50 ms, doubling to 1 s, until one succeeds. One thread at a time.</summary>
internal struct AcceptBackoff
{
    // Running out of handles lasts until somebody closes one: trying more often only burns a core, waiting longer is noticed by people.
    private static readonly TimeSpan s_first = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(1);

    private TimeSpan _last;

    /// <summary>The pause after one more failure in a row.</summary>
    public TimeSpan Next()
    {
        if (_last == TimeSpan.Zero) _last = s_first;
        else if (_last < s_longest) _last = TimeSpan.FromTicks(Math.Min(_last.Ticks * 2, s_longest.Ticks));
        return _last;
    }

    /// <summary>An accept succeeded.</summary>
    public void Reset() => _last = TimeSpan.Zero;
}
