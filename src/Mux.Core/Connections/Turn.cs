namespace Mux.Connections;

/// <summary>
/// Which connection's delivery the current thread runs. User code in it (handlers, continuations) that starts calls on the same connection only appends:
/// the turn flushes once when it ends. Calls on other connections are flushed at once, so that blocking on them there delays one connection and no more.
/// </summary>
internal static class Turn
{
    [ThreadStatic]
    private static Connection? t_owner;

    [ThreadStatic]
    private static ExecutionContext? t_context;

    /// <summary>The connection whose delivery this thread runs.</summary>
    public static Connection? Owner => t_owner;

    /// <summary>Whether this thread is inside a delivery of the connection, and so owns its receive side and will flush it.</summary>
    public static bool IsOwner(Connection connection) => t_owner == connection;

    /// <summary>Begins a delivery.</summary>
    /// <returns>What <see cref="Leave"/> takes.</returns>
    public static Outer Enter(Connection connection)
    {
        var outer = new Outer(t_owner, t_context);
        t_owner = connection;
        t_context = ExecutionContext.Capture();
        return outer;
    }

    /// <summary>Ends a delivery.</summary>
    public static void Leave(in Outer outer) => (t_owner, t_context) = (outer.Owner, outer.Context);

    /// <summary>
    /// After each piece of user code: takes back what it left on the thread (async locals, culture, activity, synchronization context), which would
    /// otherwise be seen by the next call of the batch, another caller's.
    /// </summary>
    public static void RestoreContext()
    {
        var context = t_context;
        if (context is not null && ExecutionContext.Capture() != context) ExecutionContext.Restore(context);
        if (SynchronizationContext.Current is not null) SynchronizationContext.SetSynchronizationContext(null);
    }

    /// <summary>The delivery that another one is nested in, where a transport delivers from inside user code; otherwise empty.</summary>
    public readonly record struct Outer(Connection? Owner, ExecutionContext? Context);
}
