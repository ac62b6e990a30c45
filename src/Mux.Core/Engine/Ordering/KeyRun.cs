namespace Mux.Engine;

/// <summary>
/// Runs calls of one key one after the other on one thread, as long as each of them has ended when it returns: the next one then needs no other thread. After
/// some of them the next is queued, behind the work of others.
/// </summary>
internal static class KeyRun
{
    private const int MostInRow = 32;

    [ThreadStatic]
    private static int t_place; // of the call that runs on this thread; 0 if a next one must be queued

    [ThreadStatic]
    private static KeyTable? t_table; // of that call: places of several tables are equal

    [ThreadStatic]
    private static OrderedCall? t_next;

    /// <summary>Runs a call that has its key, and those behind it.</summary>
    public static void Of(OrderedCall first)
    {
        int place = first.Place;
        OrderedCall? call = first;
        for (int left = MostInRow; call is not null; left--)
        {
            (t_place, t_table) = (left > 1 ? place : 0, first.Table);
            call.Run();
            (t_place, call, t_next) = (0, t_next, null);
        }

        t_table = null;
    }

    /// <summary>Keeps the next call of a key for this thread.</summary>
    /// <returns>False if the thread does not run this key, and the call must be started elsewhere.</returns>
    public static bool TryKeep(OrderedCall next)
    {
        // Only that of the same key: the code that runs here may block, and another key must not wait for it.
        if (t_place != next.Place || t_table != next.Table) return false;
        (t_place, t_next) = (0, next);
        return true;
    }
}
