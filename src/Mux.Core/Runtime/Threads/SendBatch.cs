namespace Mux.Runtime;

/// <summary>Batches sends of a thread outside a turn: collects the hosts it appended to until the batch ends. Thread-local.</summary>
internal static class SendBatch
{
    [ThreadStatic]
    private static List<ITurnHost>? t_hosts;

    [ThreadStatic]
    private static int t_depth;

    public static void Begin() => t_depth++;

    /// <summary>Ends a batch begun by <see cref="Begin"/>; the outermost end flushes.</summary>
    public static void End()
    {
        if (--t_depth > 0 || t_hosts is not { Count: > 0 } hosts) return;
        t_hosts = null; // a flush may run code that begins another batch
        foreach (var host in hosts) host.Flush();
        hosts.Clear();
        t_hosts ??= hosts;
    }

    /// <summary>True if the bytes this thread appended to the host are sent at the end of its batch.</summary>
    public static bool Defers(ITurnHost host)
    {
        if (t_depth == 0) return false;
        var hosts = t_hosts ??= [];
        if (hosts.Count == 0 || (hosts[^1] != host && !hosts.Contains(host))) hosts.Add(host); // a handful: the connections of a channel or two
        return true;
    }
}
