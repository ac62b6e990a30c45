using Mux.Runtime;

namespace Mux.TestSupport.Connections;

/// <summary>Workers that do nothing until told to.</summary>
internal sealed class ManualWork : WorkQueue
{
    private readonly List<IThreadPoolWorkItem> _items = [];

    public int Count
    {
        get
        {
            lock (_items) return _items.Count;
        }
    }

    public override void Add(IThreadPoolWorkItem item)
    {
        lock (_items) _items.Add(item);
    }

    public override void AddUserCode(IThreadPoolWorkItem item) => Add(item);

    /// <summary>Runs one of the items.</summary>
    public void RunOne(Random random)
    {
        IThreadPoolWorkItem item;
        lock (_items)
        {
            int at = random.Next(_items.Count);
            item = _items[at];
            _items.RemoveAt(at);
        }

        item.Execute();
    }

    /// <summary>Runs all items, also those that they add.</summary>
    public void RunAll()
    {
        while (Count > 0)
        {
            List<IThreadPoolWorkItem> items;
            lock (_items)
            {
                items = [.. _items];
                _items.Clear();
            }

            items.ForEach(item => item.Execute());
        }
    }
}
