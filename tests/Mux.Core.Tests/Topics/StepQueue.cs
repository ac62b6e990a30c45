using Mux.Runtime;

namespace Mux.Core.Tests.Topics;

/// <summary>Work that runs when the test says so, on its thread.</summary>
internal sealed class StepQueue : WorkQueue
{
    private readonly Queue<IThreadPoolWorkItem> _items = new();

    public override void Add(IThreadPoolWorkItem item) => _items.Enqueue(item);

    public override void AddUserCode(IThreadPoolWorkItem item) => Add(item);

    public void RunAll()
    {
        while (_items.TryDequeue(out var item)) item.Execute();
    }

    public void RunOne()
    {
        if (_items.TryDequeue(out var item)) item.Execute();
    }
}
