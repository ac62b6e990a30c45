namespace Mux.Tool.Load;

/// <summary>
/// Interval in which the pacer makes due calls. Requests sent alone cost both ends most of a core at some 100,000 calls per second, and a generator that takes
/// what the server needs measures itself. So at high rates the calls of a tick are sent together, up to <see cref="CallsPerBurst"/> per connection, and only
/// then.
/// </summary>
/// <param name="Length">Time between two looks at the schedule.</param>
/// <param name="MakesAll">True if the pacer makes every call; otherwise the turns of the connections also make calls that are due when a reply arrives.</param>
internal readonly record struct PacerTick(TimeSpan Length, bool MakesAll)
{
    private const int CallsPerBurst = 16;

    // With fewer calls per connection in the longest tick, it is not worth making them wait for each other.
    private const int SmallestBurst = 4;

    private static readonly TimeSpan s_longest = TimeSpan.FromMicroseconds(300);

    /// <param name="rate">Calls per second.</param>
    /// <param name="connections">Number of connections.</param>
    /// <param name="shortest">Shortest sleep of the pacer.</param>
    /// <param name="maxLag">Maximum lag of a valid run; a tick is at most a third of it.</param>
    public static PacerTick For(double rate, int connections, TimeSpan shortest, TimeSpan maxLag)
    {
        double perConnection = rate / connections;
        var longest = maxLag / 3 < s_longest ? maxLag / 3 : s_longest;
        if (shortest >= longest || perConnection * longest.TotalSeconds < SmallestBurst) return new(shortest, MakesAll: false);
        double seconds = Math.Clamp(CallsPerBurst / perConnection, shortest.TotalSeconds, longest.TotalSeconds);
        return new(TimeSpan.FromSeconds(seconds), MakesAll: true);
    }
}
