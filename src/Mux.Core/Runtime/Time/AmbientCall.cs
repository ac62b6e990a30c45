namespace Mux.Runtime;

/// <summary>
/// Keeps what the calls of the running code inherit from the call that it handles: its deadline, so that they end no later, and whether it is a retry, so that
/// retries of several services do not multiply. Deadlines are kept only while a channel inherits them, and retries are rare: other calls pay nothing.
/// </summary>
internal static class AmbientCall
{
    private static readonly AsyncLocal<Handled?> s_handled = new();
    private static int s_users;
    private static volatile bool s_isKnown;

    /// <summary>True if handlers must be given their deadline.</summary>
    public static bool IsUsed => Users > 0;

    /// <summary>Number of channels with calls that inherit deadlines.</summary>
    public static int Users => Volatile.Read(ref s_users);

    /// <summary>True if anything was ever set: until then no call reads it.</summary>
    public static bool IsKnown => s_isKnown;

    /// <summary>True if the running code handles a retry.</summary>
    public static bool IsRetry => s_isKnown && s_handled.Value is { IsRetry: true };

    /// <summary>Counts a channel with calls that inherit deadlines.</summary>
    public static void Use() => Interlocked.Increment(ref s_users);

    /// <summary>Uncounts such a channel when it is disposed.</summary>
    public static void Release() => Interlocked.Decrement(ref s_users);

    /// <summary>Sets the call for the code that is about to run and for what it awaits.</summary>
    public static void Set(long due, bool isRetry, Clock clock)
    {
        if (due == Clock.Never && !isRetry) return;
        s_isKnown = true;
        s_handled.Value = new Handled(due, isRetry, clock);
    }

    /// <summary>Clears the call for the code that runs on this thread next.</summary>
    public static void Clear()
    {
        if (s_isKnown && s_handled.Value is not null) s_handled.Value = null;
    }

    /// <summary>Gets the microseconds left; <see cref="Clock.Never"/> if there is no deadline.</summary>
    public static long Left() =>
        s_isKnown && s_handled.Value is { } handled && handled.Due != Clock.Never ? Math.Max(0, handled.Due - handled.Clock.Now) : Clock.Never;

    private sealed record Handled(long Due, bool IsRetry, Clock Clock);
}
