#pragma warning disable VSTHRD002 // results are asked for when the task is complete: nothing blocks
using System.Runtime.CompilerServices;

namespace Mux.Runtime;

/// <summary>
/// Awaits a task without the .NET thread pool, which may be full of blocked user code. The await of a task continues in the pool if the task is completed by
/// another thread between the look at it and the wait for it; this one continues on the waiting thread then, and otherwise on the one that completes the task.
/// For code that does not block and awaits seldom: it allocates.
/// </summary>
internal static class TaskAwaits
{
    public static Awaiter InPlace(this Task task) => new(task);

    public static Awaiter<T> InPlace<T>(this Task<T> task) => new(task);

    private static void Continue(Task task, Action continuation) => _ = task.ContinueWith(
        static (_, continuation) => ((Action)continuation!)(),
        continuation,
        CancellationToken.None,
        TaskContinuationOptions.ExecuteSynchronously,
        TaskScheduler.Default);

    /// <summary>Awaits a task.</summary>
    public readonly struct Awaiter(Task task) : ICriticalNotifyCompletion
    {
        public bool IsCompleted => task.IsCompleted;

        public Awaiter GetAwaiter() => this;

        public void GetResult() => task.GetAwaiter().GetResult();

        public void OnCompleted(Action continuation) => Continue(task, continuation);

        public void UnsafeOnCompleted(Action continuation) => Continue(task, continuation);
    }

    /// <summary>Awaits a task with a result.</summary>
    public readonly struct Awaiter<T>(Task<T> task) : ICriticalNotifyCompletion
    {
        public bool IsCompleted => task.IsCompleted;

        public Awaiter<T> GetAwaiter() => this;

        public T GetResult() => task.GetAwaiter().GetResult();

        public void OnCompleted(Action continuation) => Continue(task, continuation);

        public void UnsafeOnCompleted(Action continuation) => Continue(task, continuation);
    }
}
