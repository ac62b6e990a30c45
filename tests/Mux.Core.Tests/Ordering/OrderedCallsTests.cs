using Mux.Client;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Ordering;

/// <summary>Calls of a key on their way from one connection to another: none overtakes an earlier one, and a release looks at no call that it cannot start.</summary>
public sealed class OrderedCallsTests
{
    private const int BucketBits = 10;
    private const ulong Key = 5ul << (64 - BucketBits), OtherKey = 6ul << (64 - BucketBits);

    [Fact]
    public async Task A_call_does_not_overtake_one_that_its_connection_has_just_given_back()
    {
        using var route = new PlayedRoute(1, 10);
        var other = route.Start(OtherKey); // has the only slot
        var earlier = route.Start(Key);
        Assert.Equal(CallPlace.Waiting, earlier.Place);
        PlayedCall? later = null;
        route.OnReturning = _ => later ??= route.Start(Key); // as another thread could at this moment
        route.Chosen = 1;

        route.ConnectionAt(0).HandBackWaiting();

        await Eventually.Holds(() => route.IsSent(later!, 1), "the later call to be sent");
        Assert.True(route.IsSent(earlier, 1), "The later call was sent before the earlier one.");
        Assert.True(earlier.Id.Slot < later!.Id.Slot, "The later call was sent before the earlier one.");
        End(route, (other, 0), (earlier, 1), (later, 1));
    }

    [Fact]
    public async Task A_call_that_was_about_to_start_on_its_connection_does_not_overtake_one_that_this_gives_back()
    {
        using var route = new PlayedRoute(1, 10);
        var other = route.Start(OtherKey);
        var earlier = route.Start(Key);
        PlayedCall? later = null;
        var starting = new Thread(() => later = route.Start(Key));
        route.PassesOn = false;
        lock (route.ConnectionAt(0).Gate)
        {
            starting.Start();
            AwaitBlocked(starting); // the connection of its key is chosen, and it waits for the lock
            route.ConnectionAt(0).HandBackWaiting();
        }

        starting.Join();
        route.Chosen = 1;
        route.Return(earlier);

        await Eventually.Holds(() => route.IsSent(later!, 1), "the later call to be sent");
        Assert.True(earlier.Id.Slot < later!.Id.Slot, "The later call was sent before the earlier one.");
        End(route, (other, 0), (earlier, 1), (later, 1));

        static void AwaitBlocked(Thread thread) => Assert.True(
            SpinWait.SpinUntil(() => thread.ThreadState.HasFlag(ThreadState.WaitSleepJoin), Awaited.Patience), "Waited for the start to wait for the lock.");
    }

    [Fact]
    public void A_call_that_comes_back_before_its_start_is_noted_is_still_waited_for()
    {
        using var route = new PlayedRoute(10);
        var bucket = default(OrderedBucket);
        PooledConnection? connection = route.PooledAt(0);
        bucket.Wait(1, held: null);
        Assert.True(bucket.TryOpen(1, ref connection, out _, out long stamp));
        bucket.GiveBack(1);

        bucket.Start(1, stamp);

        Assert.False(bucket.IsNext(2));
        Assert.True(bucket.IsNext(1));
    }

    [Fact]
    public void A_connection_takes_no_call_of_an_order_whose_earlier_ones_it_has_given_back()
    {
        using var route = new PlayedRoute(1);
        route.PassesOn = false;
        var initiator = route.ConnectionAt(0).Initiator;
        int removals = route.ConnectionAt(0).Waiting.Removals;
        var first = new PlayedCall(Key);
        Assert.True(initiator.TryStart(first, [], new InOrderOnly(removals)));
        route.ConnectionAt(0).HandBackWaiting();

        Assert.False(initiator.TryStart(new PlayedCall(Key), [], new InOrderOnly(removals)));
        End(route, (first, 0));
    }

    [Fact]
    public async Task A_key_stays_with_its_connection_until_its_last_one_way_call_is_answered()
    {
        using var route = new PlayedRoute(10, 10);
        var first = route.Start(Key, isOneWay: true);
        Assert.True(first.IsDone);
        route.Chosen = 1;
        var second = route.Start(Key, isOneWay: true);
        Assert.True(route.IsSent(second, 0), "The key has moved although its first call is not answered.");
        route.Drain(0);
        var third = route.Start(Key, isOneWay: true);
        route.Answer(second, 0);
        Assert.Equal(1, route.Sut.Held);
        Assert.False(third.IsDone);

        route.Answer(first, 0);

        await Eventually.Holds(() => third.IsDone, "the third call to be sent");
        Assert.True(route.IsSent(third, 1));
    }

    [Fact]
    public async Task One_way_calls_that_are_lost_with_their_connection_hold_no_later_ones()
    {
        using var route = new PlayedRoute(10, 10);
        for (int i = 0; i < 3; i++) route.Start(Key, isOneWay: true);
        route.Drain(0);
        route.Chosen = 1;
        var later = route.Start(Key, isOneWay: true);
        Assert.False(later.IsDone);

        route.Lose(0);

        await Eventually.Holds(() => later.IsDone, "the later call to be sent");
        Assert.True(route.IsSent(later, 1));
    }

    [Fact]
    public void A_connection_that_comes_or_goes_moves_only_the_keys_that_it_gets_or_had()
    {
        const int Count = 10_000;
        var random = new Random(TestSeed.Next());
        var keys = Enumerable.Range(0, Count).Select(_ => (ulong)random.NextInt64()).ToArray();

        int[] before = [.. keys.Select(key => Best(key, 0, 1, 2))], more = [.. keys.Select(key => Best(key, 0, 1, 2, 3))], fewer = [.. keys.Select(key => Best(key, 0, 2))];

        Assert.All(Enumerable.Range(0, Count), i => Assert.True(more[i] == before[i] || more[i] == 3));
        Assert.All(Enumerable.Range(0, Count), i => Assert.True(fewer[i] == before[i] || before[i] == 1));
        Assert.All(Enumerable.Range(0, 3), slot => Assert.InRange(before.Count(best => best == slot), Count * 3 / 10, Count * 4 / 10));

        static int Best(ulong key, params int[] slots) => slots.MaxBy(slot => KeyedChoice.ScoreOf(key, slot));
    }

    [Fact]
    public async Task A_release_starts_what_it_can_and_looks_at_no_other_call()
    {
        const int Keys = 50, HeldEach = 20;
        using var route = new PlayedRoute(Keys, Keys * HeldEach);
        var first = Enumerable.Range(0, Keys).Select(key => route.Start(KeyOf(key))).ToArray();
        route.Drain(0);
        route.Chosen = 1;
        var held = first.Select((_, key) => Enumerable.Range(0, HeldEach).Select(_ => route.Start(KeyOf(key))).ToArray()).ToArray();
        Assert.Equal(Keys * HeldEach, route.Sut.Held);

        for (int key = 0; key < Keys; key++)
        {
            route.Answer(first[key], 0);
            await Eventually.Holds(() => held[key].All(call => route.IsSent(call, 1)), "the calls of a key to be sent");
            Assert.Equal((key + 1) * HeldEach, route.Restarts);
            var slots = held[key].Select(static call => call.Id.Slot).ToArray();
            Assert.Equal(slots.Order(), slots);
        }

        Assert.Equal(0, route.Sut.Held);
        End(route, [.. held.SelectMany(static calls => calls).Select(static call => (call, 1))]);

        static ulong KeyOf(int key) => (ulong)key << (64 - BucketBits);
    }

    private static void End(PlayedRoute route, params (PlayedCall Call, int Server)[] calls)
    {
        foreach (var (call, server) in calls)
        {
            route.Answer(call, server);
            Assert.True(call is { IsDone: true, Failure: null });
        }
    }
}
