using System.Collections.Concurrent;
using Mux.Transports;

namespace Mux.TestSupport.Transports;

// Going on without a thread that does not come back from a delivery.
public abstract partial class TransportConformanceTests
{
    [Fact]
    public async Task What_a_stuck_thread_left_is_delivered_once_and_in_order_and_the_thread_returns_to_nothing()
    {
        const int Total = 200_000;
        int seed = TestSeed.Next();
        using var places = new BlockingCollection<StuckPlace>();
        var sut = BlockingProbe(seed, places, 7);
        await using var sender = await ConnectAsync(sut, seed, Total);
        var place = await NextAsync(places);
        Assert.Equal(7, sut.Consumed.Count);
        Assert.True(place.TryTake());
        await sut.Consumed.ReachAsync(Total / 2);
        place.Release();
        await place.Over.WaitAsync();
        await sut.Consumed.ReachAsync(Total);
        await sut.Batches.ReachAsync(1);
        await EndAsync(sender, sut, Total);
    }

    [Fact]
    public async Task A_successor_that_gets_stuck_is_succeeded_and_each_of_them_returns()
    {
        const int Total = 100_000;
        int seed = TestSeed.Next();
        using var places = new BlockingCollection<StuckPlace>();
        var sut = BlockingProbe(seed, places, 10, 11, 5_000, Total);
        await using var sender = await ConnectAsync(sut, seed, Total);
        var stuck = new List<StuckPlace>();
        for (int i = 0; i < 4; i++)
        {
            stuck.Add(await NextAsync(places));
            Assert.True(stuck[i].TryTake());
        }

        await sut.Consumed.ReachAsync(Total);
        stuck.Reverse();
        foreach (var place in stuck) place.Release();
        foreach (var place in stuck.Skip(1)) await place.SuccessorLeft.WaitAsync(); // whose successor lost its place in turn
        await EndAsync(sender, sut, Total);
    }

    [Fact]
    public async Task Links_beside_a_stuck_one_go_on_when_its_place_is_taken()
    {
        int seed = TestSeed.Next();
        var transport = CreateTransport();
        using var places = new BlockingCollection<StuckPlace>();
        var sut = BlockingProbe(seed, places, 1);
        await using var sender = await ConnectAsync(sut, seed, 1_000, transport);
        var place = await NextAsync(places);
        Assert.True(place.TryTake());
        for (int i = 0; i < 10; i++)
        {
            await using var pair = await LinkPair.ConnectAsync(transport, FreeAddress());
            Assert.Equal(3, pair.Dialer.Send("abc"u8));
            await pair.Acceptor.Consumed.ReachAsync(3);
        }

        place.Release();
        await EndAsync(sender, sut, 1_000);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_link_that_ends_while_its_thread_is_stuck_is_reported_by_the_successor(bool peerEnds)
    {
        int seed = TestSeed.Next();
        using var places = new BlockingCollection<StuckPlace>();
        var sut = BlockingProbe(seed, places, 100);
        await using var sender = await ConnectAsync(sut, seed, 100);
        var place = await NextAsync(places);
        if (peerEnds) sender.Close();
        else sut.Link.Close();
        Assert.True(place.TryTake());
        await sut.Closed.WaitAsync();
        if (peerEnds) Assert.True(sut.Cause is LinkCloseCause.EndOfStream or LinkCloseCause.Reset, $"{sut.Cause}");
        else Assert.Equal(LinkCloseCause.Closed, sut.Cause);

        // Long after the end, the thread returns, and its place is taken by nobody.
        long batches = sut.Batches.Count; // with those of the bytes before the stuck one, if they came earlier
        place.Release();
        await place.Over.WaitAsync();
        Assert.Equal(batches, sut.Batches.Count);
        sut.AssertSound();
    }

    [Fact]
    public async Task Places_taken_whenever_there_is_one_lose_and_repeat_nothing()
    {
        const int Total = 1_000_000;
        const int Step = 997;
        int seed = TestSeed.Next();
        var random = new Random(seed); // of whoever is in the user code, one thread at a time
        StuckPlace? last = null;
        int taken = 0;
        var sut = new HandOverProbe($"acceptor, seed {seed}", new Pattern(seed))
        {
            RunsUserCodeBehind = position => position % Step == 0,
            UserCode = place =>
            {
                Volatile.Write(ref last, place);
                if (random.Next(4) == 0) place.Block(); // until it is taken
                else Thread.Yield();
            },
        };
        await using var sender = await ConnectAsync(sut, seed, Total);
        var thief = Task.Run(() =>
        {
            while (sut.Consumed.Count < Total && !sut.Closed.IsSet)
            {
                if (Interlocked.Exchange(ref last, null) is { } place)
                {
                    if (place.TryTake()) taken++;
                    place.Release();
                }
                else
                {
                    Thread.Yield();
                }
            }
        });
        await sut.Consumed.ReachAsync(Total);
        await thief.Within("the end of the thief");
        Assert.InRange(taken, 1, int.MaxValue);
        await EndAsync(sender, sut, Total);
    }

    private static HandOverProbe BlockingProbe(int seed, BlockingCollection<StuckPlace> places, params long[] positions) => new($"acceptor, seed {seed}", new Pattern(seed))
    {
        RunsUserCodeBehind = position => Array.IndexOf(positions, position) >= 0,
        UserCode = place =>
        {
            places.Add(place);
            place.Block();
        },
    };

    private static Task<StuckPlace> NextAsync(BlockingCollection<StuckPlace> places) => Task.Run(() => places.TryTake(out var place, Awaited.Patience) ? place : throw new TimeoutException("No thread got stuck."));

    /// <summary>A link that sends a pattern to the probe.</summary>
    private Task<HandOverSender> ConnectAsync(HandOverProbe probe, int seed, long total, ITransport? transport = null)
    {
        transport ??= CreateTransport();
        var address = FreeAddress();
        Assert.SkipUnless(transport.CreateLink(address).CanHandOver, "This transport does not hand over.");
        return HandOverSender.ConnectAsync(transport, address, probe, seed, total);
    }

    private static async Task EndAsync(HandOverSender sender, HandOverProbe probe, long total)
    {
        sender.Close();
        await probe.Closed.WaitAsync();
        Assert.Equal(total, probe.Consumed.Count);
        probe.AssertSound();
    }
}
