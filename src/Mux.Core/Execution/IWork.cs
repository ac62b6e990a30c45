namespace Mux.Execution;

/// <summary>
/// What a thread of <see cref="Workers"/> runs. It may be reused once it runs: the rest is asked before, under the lock of the queue that it waits in.
/// </summary>
internal interface IWork : IThreadPoolWorkItem
{
    /// <summary>The user code that it runs, for logs.</summary>
    string Name { get; }

    /// <summary>Hears when it and all others wait and none of them starts.</summary>
    IWorkOwner Owner { get; }

    /// <summary>What the deadline of its call counts in; null if it has none.</summary>
    IWorkClock? Clock { get; }

    /// <summary>Whether its call is over although it still waits: the deadline has passed, or the caller has cancelled it. Never runs user code.</summary>
    /// <param name="now">What <see cref="Clock"/> shows; not used if that is null.</param>
    bool IsAbandoned(long now);

    /// <summary>
    /// It was abandoned and left the queue: ends its call. Instead of <see cref="IThreadPoolWorkItem.Execute"/>, on a thread of
    /// <see cref="WorkerKind.Overdue"/>. Never throws.
    /// </summary>
    void Abandon() => Execute();

    /// <summary>
    /// It was a request, and left the queue because nothing in it moves and too much waits: answers it. Like <see cref="Abandon"/> otherwise.
    /// </summary>
    void Refuse() => Abandon();
}
