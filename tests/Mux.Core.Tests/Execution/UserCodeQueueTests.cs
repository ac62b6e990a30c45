using System.Collections.Concurrent;
using Mux.Runtime;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Execution;

/// <summary>User code runs on the .NET pool, or on workers where the pool takes none of it.</summary>
public sealed class UserCodeQueueTests
{
    private readonly Pool _pool = new();
    private readonly Counter _ran = new("items that ran");
    private readonly UserCodeQueue _sut;

    public UserCodeQueueTests() => _sut = new UserCodeQueue(_pool.Add, new Workers(WorkerKind.Completions, maxThreads: 32));

    [Fact]
    public void Items_run_on_the_pool_in_order_and_none_of_them_elsewhere()
    {
        List<int> order = [];
        for (int i = 0; i < 10; i++)
        {
            int number = i;
            _sut.Add(new Item(() => order.Add(number)));
        }

        for (long now = 0; _pool.TryRunNext(); now += 2 * UserCodeQueue.PoolTime) _sut.OnTick(now); // slow, but it moves

        Assert.Equal(Enumerable.Range(0, 10), order);
        Assert.False(_sut.IsWaiting);
        Assert.False(_sut.OnTick(100_000));
    }

    [Fact]
    public async Task What_the_pool_does_not_take_runs_on_workers_once()
    {
        _sut.OnTick(0);
        for (int i = 0; i < 5; i++) _sut.Add(new Item(() => _ran.Add()));
        Assert.True(_sut.OnTick(10));
        Assert.True(_sut.OnTick(10 + UserCodeQueue.PoolTime - 1));
        Assert.True(_sut.IsWaiting);

        Assert.True(_sut.OnTick(10 + UserCodeQueue.PoolTime));

        await _ran.ReachAsync(5);
        while (_pool.TryRunNext()) { } // it comes too late
        Assert.Equal(5, _ran.Count);
    }

    [Fact]
    public async Task A_pool_that_does_not_come_is_not_waited_for_again_until_it_does()
    {
        _sut.OnTick(0);
        _sut.Add(new Item(() => _ran.Add()));
        _sut.OnTick(10);
        _sut.OnTick(10 + UserCodeQueue.PoolTime);
        await _ran.ReachAsync(1);
        _sut.OnTick(200);

        _sut.Add(new Item(() => _ran.Add()));
        _sut.OnTick(201);
        await _ran.ReachAsync(2);

        Assert.True(_pool.TryRunNext()); // it finds nothing
        _sut.Add(new Item(() => _ran.Add()));
        _sut.OnTick(202);
        Assert.True(_sut.IsWaiting);
    }

    [Fact]
    public void An_item_that_comes_after_a_long_time_without_any_is_left_to_the_pool_first()
    {
        _sut.OnTick(0);
        _sut.Add(new Item(() => _ran.Add()));
        _sut.OnTick(60_000);
        Assert.True(_sut.IsWaiting);
        Assert.True(_pool.TryRunNext());
        Assert.Equal(1, _ran.Count);
    }

    private sealed class Item(Action action) : IThreadPoolWorkItem
    {
        public void Execute() => action();
    }

    private sealed class Pool
    {
        private readonly ConcurrentQueue<IThreadPoolWorkItem> _items = new();

        public void Add(IThreadPoolWorkItem item) => _items.Enqueue(item);

        public bool TryRunNext()
        {
            if (!_items.TryDequeue(out var item)) return false;
            item.Execute();
            return true;
        }
    }
}
