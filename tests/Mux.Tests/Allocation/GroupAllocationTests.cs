using Mux.Push;
using Mux.Runtime;
using Mux.Tests.Contracts;
using Mux.Transports.InMemory;

namespace Mux.Tests.Allocation;

/// <summary>What a call of a group allocates at the caller and at all members together: nothing.</summary>
public sealed class GroupAllocationTests : IDisposable
{
    private const int Calls = 200, MaxBatches = 200;

    private readonly InMemoryTransport _transport = new(new InMemoryTransportOptions { ManualPump = true });
    private readonly List<Func<Task>> _ends = [];
    private readonly HandQueue _sweeps = new();

    [Theory]
    [InlineData(4)]
    [InlineData(20)] // more than those to which the caller sends
    public void A_call_of_a_group_allocates_nothing_for_any_member(int members)
    {
        var steady = new Steady();
        var sut = Gather(members, steady);
        long least = long.MaxValue;
        for (int batch = 0; batch < MaxBatches && least > 0; batch++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < Calls; i++)
            {
                Send(sut.All.Tell(new Point(3, 4)));
                _sweeps.RunAll();
                _transport.Pump();
            }

            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(0, least);
        var statistics = sut.GetStatistics();
        Assert.Equal((statistics.Calls * members, 0), (statistics.Delivered, statistics.Missed));
    }

    public void Dispose()
    {
        var disposal = Task.WhenAll(_ends.Select(static end => end()));
        Assert.True(SpinWait.SpinUntil(() => _transport.Pump() >= 0 && disposal.IsCompleted, TimeSpan.FromSeconds(30)), "Servers and channels did not end.");
    }

    private static void Send(ValueTask call)
    {
        if (!call.IsCompletedSuccessfully) throw new InvalidOperationException("The call was not complete at once.");
    }

    private MuxGroup<ISteady> Gather(int members, Steady steady)
    {
        var server = new MuxServer(new MuxServerOptions { Address = "mux://memory:1", Transport = _transport });
        server.Start();
        _ends.Add(() => server.StopAsync());
        for (int i = 0; i < members; i++)
        {
            var options = new MuxChannelOptions { Address = "mux://memory:1", Transport = _transport, Dispatch = MuxDispatchMode.Inline };
            var channel = MuxChannel.Create(options.AddService<ISteady>(steady));
            _ends.Add(() => channel.DisposeAsync().AsTask());
            var connecting = channel.ConnectAsync();
            Assert.True(SpinWait.SpinUntil(() => _transport.Pump() >= 0 && connecting.IsCompleted, TimeSpan.FromSeconds(30)), "No connection.");
        }

        var group = new MuxGroup<ISteady>(GroupKind.Of<ISteady>("test", meters: null) with { FanOut = new FanOut(_sweeps, 1) });
        foreach (var peer in server.Peers) Assert.True(group.Add(peer));
        Assert.Equal(members, group.Count);
        return group;
    }

    /// <summary>Work that runs when the test says so.</summary>
    private sealed class HandQueue : WorkQueue
    {
        private readonly Queue<IThreadPoolWorkItem> _items = new();

        public override void Add(IThreadPoolWorkItem item) => _items.Enqueue(item);

        public override void AddUserCode(IThreadPoolWorkItem item) => Add(item);

        public void RunAll()
        {
            while (_items.TryDequeue(out var item)) item.Execute();
        }
    }
}
