using System.Runtime.CompilerServices;

namespace Mux.Runtime;

/// <summary>
/// Finds the placement of the code after an await of one method's calls, or of its streams. One per method for the whole process: what is known of its cost
/// stays known when channels and proxies come and go.
/// </summary>
internal sealed class AwaitedCode
{
    // By the descriptor of the method, which is not known here. A contract that is unloaded takes its descriptors along.
    private static readonly ConditionalWeakTable<object, AwaitedCode> s_ofCalls = [];
    private static readonly ConditionalWeakTable<object, AwaitedCode> s_ofStreams = [];

    private readonly Placement _ofTasks;
    private ContinuationPlacement? _last; // most calls of a method are awaited in one place, which then needs no table

    private AwaitedCode(string ofTasks) => _ofTasks = new Placement(ofTasks);

    /// <summary>Name for logs of code after tasks, which is not visible here.</summary>
    public string Name => _ofTasks.Name;

    /// <param name="method">The descriptor of the method.</param>
    /// <param name="name">Name of the method for logs.</param>
    public static AwaitedCode OfCalls(object method, string name) =>
        s_ofCalls.GetValue(method, _ => new AwaitedCode($"The code after the task of a call of {name}"));

    /// <inheritdoc cref="OfCalls"/>
    public static AwaitedCode OfStreams(object method, string name) =>
        s_ofStreams.GetValue(method, _ => new AwaitedCode($"The code after the task of a stream of {name}"));

    /// <param name="state">State passed to <c>OnCompleted</c> with the continuation.</param>
    public Placement Find(object? state) => Find(state, ref _last);

    /// <inheritdoc cref="Find(object?)"/>
    /// <param name="state">State passed to <c>OnCompleted</c> with the continuation.</param>
    /// <param name="last">The placement last found by the same caller.</param>
    public Placement Find(object? state, ref ContinuationPlacement? last) => ContinuationPlacement.Of(state, _ofTasks, ref last);
}

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
