namespace Mux.Runtime;

/// <summary>
/// The work item of a link that a thread of the engine runs itself when it has started the link, where another thread
/// would have to be woken for it. For a thread that does nothing else afterwards which others wait for.
/// </summary>
internal static class FollowingWork
{
    // Null unless this thread runs it. Another item that is begun meanwhile, such as the link within that of a user's
    // transport, belongs into a queue: its beginner may wait for it.
    [ThreadStatic]
    private static object? t_owner;

    [ThreadStatic]
    private static bool t_isAdded;

    /// <summary>Runs code, and then the item of an object if the code has added it.</summary>
    /// <param name="owner">The object, which may have no item.</param>
    /// <param name="code">Does not run such code itself.</param>
    /// <param name="state">Passed to the code.</param>
    public static void RunAfter<T>(object owner, Action<T> code, T state)
    {
        t_owner = owner;
        try
        {
            code(state);
        }
        finally
        {
            bool isAdded = t_isAdded;
            (t_owner, t_isAdded) = (null, false);
            if (isAdded) ((IThreadPoolWorkItem)owner).Execute(); // also if the code has thrown: no queue has the item
        }
    }

    /// <summary>Adds the item of an object.</summary>
    /// <returns>False if this thread does not run it: it belongs into a queue.</returns>
    public static bool TryAdd(IThreadPoolWorkItem item)
    {
        if (item != t_owner) return false;
        return t_isAdded = true;
    }
}
