using System.Collections.Concurrent;

namespace Mux.TestSupport.EndToEnd;

/// <summary>Exceptions of tasks that nobody looked at.</summary>
internal static class UnobservedErrors
{
    private static readonly ConcurrentQueue<Exception> s_errors = [];

    public static void Install() => TaskScheduler.UnobservedTaskException += static (_, unobserved) => s_errors.Enqueue(unobserved.Exception);

    /// <summary>Those since the last time, of every task that is garbage by now.</summary>
    public static IReadOnlyList<Exception> Take()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        var errors = new List<Exception>();
        while (s_errors.TryDequeue(out var error)) errors.Add(error);
        return errors;
    }
}
