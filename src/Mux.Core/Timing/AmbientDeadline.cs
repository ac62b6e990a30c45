namespace Mux.Timing;

/// <summary>
/// Keeps the deadline of the call that the running code handles, so that calls it makes end no later. Kept only while a channel inherits deadlines: others pay
/// nothing.
/// </summary>
internal static class AmbientDeadline
{
    private static readonly AsyncLocal<Limit?> s_limit = new();
    private static int s_users;
    private static volatile bool s_isKnown;

    /// <summary>True if handlers must be given their deadline.</summary>
    public static bool IsUsed => Users > 0;

    /// <summary>Number of channels with calls that inherit deadlines.</summary>
    public static int Users => Volatile.Read(ref s_users);

    /// <summary>True if a deadline was ever set: until then no call reads it.</summary>
    public static bool IsKnown => s_isKnown;

    /// <summary>Counts a channel with calls that inherit deadlines.</summary>
    public static void Use() => Interlocked.Increment(ref s_users);

    /// <summary>Uncounts such a channel when it is disposed.</summary>
    public static void Release() => Interlocked.Decrement(ref s_users);

    /// <summary>Sets the deadline for the code that is about to run and for what it awaits.</summary>
    public static void Set(long due, Clock clock)
    {
        if (due == Clock.Never) return;
        s_isKnown = true;
        s_limit.Value = new Limit(due, clock);
    }

    /// <summary>Clears the deadline for the code that runs on this thread next.</summary>
    public static void Clear()
    {
        if (s_isKnown && s_limit.Value is not null) s_limit.Value = null;
    }

    /// <summary>Gets the microseconds left; <see cref="Clock.Never"/> if there is no deadline.</summary>
    public static long Left() => s_isKnown && s_limit.Value is { } limit ? Math.Max(0, limit.Due - limit.Clock.Now) : Clock.Never;

    private sealed record Limit(long Due, Clock Clock);
}
