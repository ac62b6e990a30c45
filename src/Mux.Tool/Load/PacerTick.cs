namespace Mux.Tool.Load;

/// <summary>
/// How often the pacer makes what is due. Requests that leave alone cost both ends most of a core at some 100,000 calls per second, and a generator that needs
/// what the server needs measures itself. So at high rates the calls of a tick go out together, up to <see cref="CallsPerBurst"/> on a connection, and only
/// then.
/// </summary>
/// <param name="Length">Between two looks at the schedule.</param>
/// <param name="MakesAll">Whether the pacer makes every call; else the turns of the connections make what has become due when a reply comes.</param>
internal readonly record struct PacerTick(TimeSpan Length, bool MakesAll)
{
    private const int CallsPerBurst = 16;

    // Fewer calls than this on a connection in the longest tick are not worth making them wait for each other.
    private const int SmallestBurst = 4;

    private static readonly TimeSpan s_longest = TimeSpan.FromMicroseconds(300);

    /// <param name="rate">Calls per second.</param>
    /// <param name="connections">Over which they are spread.</param>
    /// <param name="shortest">What the pacer can sleep.</param>
    /// <param name="maxLag">How late calls may be made in a valid run; a tick is at most a third of it.</param>
    public static PacerTick For(double rate, int connections, TimeSpan shortest, TimeSpan maxLag)
    {
        double perConnection = rate / connections;
        var longest = maxLag / 3 < s_longest ? maxLag / 3 : s_longest;
        if (shortest >= longest || perConnection * longest.TotalSeconds < SmallestBurst) return new(shortest, MakesAll: false);
        double seconds = Math.Clamp(CallsPerBurst / perConnection, shortest.TotalSeconds, longest.TotalSeconds);
        return new(TimeSpan.FromSeconds(seconds), MakesAll: true);
    }
}
