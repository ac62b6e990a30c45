using Mux.Runtime;

namespace Mux.TestSupport.Connections;

/// <summary>A pool with one thread, which is the test's. Nothing but the test ticks its monitor.</summary>
internal sealed class ManualPool : IPoolQueue
{
    private readonly Queue<IThreadPoolWorkItem> _items = new();

    public ManualPool() => Postponed = new PostponedSends(Others);

    public bool IsOwnThread { get; set; } = true;

    public bool IsEmpty { get; set; }

    public PostponedSends Postponed { get; }

    /// <summary>The threads that send if this one does not.</summary>
    public ManualWork Others { get; } = new();

    /// <summary>Number of items that wait.</summary>
    public int Count => _items.Count;

    public void Add(IThreadPoolWorkItem item) => _items.Enqueue(item);

    public void RunOne() => _items.Dequeue().Execute();
}
