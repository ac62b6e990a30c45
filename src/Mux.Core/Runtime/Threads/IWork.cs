namespace Mux.Runtime;

/// <summary>
/// An item that a thread of <see cref="Workers"/> runs. The item may be reused once it runs, so all other members are called before, under the lock of its
/// queue.
/// </summary>
internal interface IWork : IThreadPoolWorkItem
{
    /// <summary>Name of the user code that it runs, for logs.</summary>
    string Name { get; }

    /// <summary>The owner, which is told if all items wait and none of them starts.</summary>
    IWorkOwner Owner { get; }

    /// <summary>Clock of its call's deadline; null if there is no deadline.</summary>
    IWorkClock? Clock { get; }

    /// <summary>True if its call has ended although it still waits: the deadline has passed, or the caller has cancelled. Never runs user code.</summary>
    /// <param name="now">Reading of <see cref="Clock"/>; unused if that is null.</param>
    bool IsAbandoned(long now);

    /// <summary>
    /// Ends the call of an abandoned item that left the queue. Called instead of <see cref="IThreadPoolWorkItem.Execute"/>, on a thread of
    /// <see cref="WorkerKind.Overdue"/>. Never throws.
    /// </summary>
    void Abandon() => Execute();

    /// <summary>Answers a request that left the queue because no item starts and too many wait. Otherwise like <see cref="Abandon"/>.</summary>
    void Refuse() => Abandon();
}
