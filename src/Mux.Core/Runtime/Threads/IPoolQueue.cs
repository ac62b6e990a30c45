namespace Mux.Runtime;

/// <summary>What the engine asks the .NET thread pool before it leaves work to its threads. Thread-safe. Tests have a queue of their own.</summary>
internal interface IPoolQueue
{
    /// <summary>True if the caller runs on a thread of the pool.</summary>
    bool IsOwnThread { get; }

    /// <summary>True if nothing waits for a thread of the pool. Another answer may be true a moment later.</summary>
    bool IsEmpty { get; }

    /// <summary>Watches the sends that were left to this pool.</summary>
    PostponedSends Postponed { get; }

    /// <summary>Lets a thread of the pool run <paramref name="item"/> behind all that waits.</summary>
    void Add(IThreadPoolWorkItem item);
}
