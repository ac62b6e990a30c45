namespace Mux.Redis;

/// <summary>Tasks that nobody waits for anymore.</summary>
internal static class Abandoned
{
    /// <summary>Sees the exception of a task, if it comes: the process would be told of one that nobody has seen.</summary>
    public static void Observe(Task task) => _ = task.ContinueWith(
        static one => _ = one.Exception,
        CancellationToken.None,
        TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously,
        TaskScheduler.Default);
}
