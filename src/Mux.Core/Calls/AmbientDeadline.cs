using Mux.Timing;

namespace Mux.Calls;

/// <summary>
/// Until when the call lasts that the running code handles: calls it makes end no later. Kept only while there is a channel whose calls ask for it, so that
/// others pay nothing.
/// </summary>
internal static class AmbientDeadline
{
    private static readonly AsyncLocal<Limit?> s_limit = new();
    private static int s_users;
    private static volatile bool s_isKnown;

    /// <summary>Whether handlers are to be given theirs.</summary>
    public static bool IsUsed => Users > 0;

    /// <summary>Channels whose calls ask for it.</summary>
    public static int Users => Volatile.Read(ref s_users);

    /// <summary>Whether any was ever set: until then no call asks.</summary>
    public static bool IsKnown => s_isKnown;

    /// <summary>There is a channel whose calls ask for it.</summary>
    public static void Use() => Interlocked.Increment(ref s_users);

    /// <summary>It is disposed.</summary>
    public static void Release() => Interlocked.Decrement(ref s_users);

    /// <summary>Of the code that is about to run, and of what it awaits.</summary>
    public static void Set(long due, Clock clock)
    {
        if (due == Clock.Never) return;
        s_isKnown = true;
        s_limit.Value = new Limit(due, clock);
    }

    /// <summary>Of the code that runs on this thread next.</summary>
    public static void Clear()
    {
        if (s_isKnown && s_limit.Value is not null) s_limit.Value = null;
    }

    /// <summary>Microseconds; <see cref="Clock.Never"/> if there is no limit.</summary>
    public static long Left() => s_isKnown && s_limit.Value is { } limit ? Math.Max(0, limit.Due - limit.Clock.Now) : Clock.Never;

    private sealed record Limit(long Due, Clock Clock);
}
