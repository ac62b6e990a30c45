using Mux.Runtime;
using Mux.TestSupport.EndToEnd;

namespace Mux.TestSupport.Transports;

// What links cost and what they leave behind. Counts are the process's: these tests run with no others beside them.
public abstract partial class TransportConformanceTests
{
    [Fact]
    public async Task Thousands_of_short_links_leave_no_handle_and_no_buffer_behind()
    {
        const int AtOnce = 8;
        var transport = CreateTransport();
        var ends = new Counter("ends of accepted links");
        using var listener = transport.Listen(FreeAddress(), link =>
        {
            var acceptor = new LinkProbe("acceptor");
            acceptor.WhenBatchEnds = () => acceptor.Send(new byte[100]);
            acceptor.WhenClosed = () => ends.Add();
            acceptor.Start(link);
        });

        await RunLinks(AtOnce); // whatever is made once is made here
        int handles = OpenHandles.Count();
        long buffers = BufferPool.Outstanding;
        await RunLinks(ShortLinks);
        // Closed handles of the last links may linger for a moment, of thousands they may not.
        await Eventually.Holds(() => OpenHandles.Count() <= handles + AtOnce, () => $"at most {handles + AtOnce} handles; open are {OpenHandles.Count()}");
        Assert.InRange(BufferPool.Outstanding, 0, buffers + AtOnce); // of links of earlier tests, some may still end or begin

        async Task RunLinks(int count)
        {
            long goal = ends.Count + count;
            await Parallel.ForAsync(0, count, new ParallelOptions { MaxDegreeOfParallelism = AtOnce }, async (i, _) =>
            {
                var dialer = new LinkProbe($"dialer {i}");
                dialer.WhenConnected = () => dialer.Send(new byte[10]);
                dialer.WhenBatchEnds = dialer.Close;
                dialer.Start(transport.CreateLink(listener.Address));
                await dialer.Closed.WaitAsync();
                dialer.AssertSound();
            });
            await ends.ReachAsync(goal);
        }
    }

    [Fact]
    public async Task Messages_cost_no_allocation_once_everything_is_warm()
    {
        if (WhyNotFreeOfAllocations is { } why) Assert.Skip(why);
        const int RoundTrips = 3_000;
        const int Batches = 20;
        const int SmallestObject = 24;
        const int TooMuch = RoundTrips * SmallestObject;
        var transport = CreateTransport();
        using var listener = transport.Listen(FreeAddress(), link => link.Start(new EchoHandler(link)));
        var link = transport.CreateLink(listener.Address);
        var pings = new PingHandler(link);
        link.Start(pings);
        long least = long.MaxValue;
        for (int batch = 0; batch < Batches && least >= TooMuch; batch++) least = Math.Min(least, await MeasureAsync());
        link.Close();

        // A round trip is two messages. Less than one object for every second of them, in the least of many batches: the rest are buffers for pool threads
        // that had none yet, and whatever else the process does meanwhile, which a busy machine stretches over some of the batches.
        Assert.True(least < TooMuch, $"{least} bytes or more were allocated for every {RoundTrips} round trips");

        async Task<long> MeasureAsync()
        {
            long before = GC.GetTotalAllocatedBytes(precise: true);
            await pings.RunAsync(RoundTrips);
            return GC.GetTotalAllocatedBytes(precise: true) - before;
        }
    }
}
