namespace Mux.Tests.Faults;

/// <summary>Calls of which a test looks at the counters, and not at each failure.</summary>
internal static class ObservedTasks
{
    /// <summary>The same task, whose exception counts as seen.</summary>
    public static Task<T> Observed<T>(this Task<T> task)
    {
        _ = task.ContinueWith(static ended => _ = ended.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        return task;
    }
}
