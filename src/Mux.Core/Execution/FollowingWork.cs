namespace Mux.Execution;

/// <summary>
/// Work that a thread of the engine runs itself when it has left what gave rise to it, where another thread would have
/// to be woken for each item. For a thread that does nothing else afterwards which others wait for.
/// </summary>
internal static class FollowingWork
{
    [ThreadStatic]
    private static List<IThreadPoolWorkItem>? t_items; // null unless this thread will run some

    /// <summary>Runs code, and then what it has added.</summary>
    public static void RunAfter<T>(Action<T> code, T state)
    {
        List<IThreadPoolWorkItem> items = [];
        t_items = items;
        try
        {
            code(state);
        }
        finally
        {
            t_items = null;
        }

        foreach (var item in items) item.Execute();
    }

    /// <summary>Adds an item.</summary>
    /// <returns>False if this thread runs none: the item belongs into a queue.</returns>
    public static bool TryAdd(IThreadPoolWorkItem item)
    {
        t_items?.Add(item);
        return t_items is not null;
    }
}
