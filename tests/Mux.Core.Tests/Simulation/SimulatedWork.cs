using Mux.Connections;

namespace Mux.Core.Tests.Simulation;

/// <summary>The workers of a simulated process: what was handed to them waits until the simulation runs it, in any order.</summary>
internal sealed class SimulatedWork : WorkQueue
{
    private readonly List<IThreadPoolWorkItem> _items = [];

    public int Count => _items.Count;

    public override void Add(IThreadPoolWorkItem item) => _items.Add(item);

    public void RunOne(Random random)
    {
        int at = random.Next(_items.Count);
        var item = _items[at];
        _items.RemoveAt(at);
        item.Execute();
    }
}
