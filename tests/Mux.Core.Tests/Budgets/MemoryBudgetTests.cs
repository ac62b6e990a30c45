using System.Reflection;
using Mux.Engine;

namespace Mux.Core.Tests.Budgets;

/// <summary>How the connections of a server share what peers may make it hold.</summary>
public sealed class MemoryBudgetTests
{
    private const long MiB = 1 << 20;

    [Fact]
    public void A_connection_has_as_much_as_it_leaves_for_others()
    {
        var sut = new MemoryBudget(64 * MiB, BudgetLimits.Unbounded);
        MemoryShare first = sut.Join(string.Empty), second = sut.Join(string.Empty);
        Assert.Equal(32, TakeAll(first));
        Assert.Equal(16, TakeAll(second));
        Assert.Equal(MemoryVerdict.NoRoom, first.TryTake(MiB));
        Assert.Equal(48 * MiB, sut.Used);
        second.Release(16 * MiB);
        Assert.Equal(MemoryVerdict.NoRoom, first.TryTake(MiB)); // it has its share
        Assert.Equal(16, TakeAll(second));
    }

    [Theory]
    [InlineData(10)]
    [InlineData(100)]
    [InlineData(1_000)]
    public void Beside_any_number_that_take_all_they_can_get_another_one_gets_a_message(int hogs)
    {
        var sut = new MemoryBudget(64 * MiB, BudgetLimits.Unbounded);
        var shares = Enumerable.Range(0, hogs).Select(_ => sut.Join(string.Empty)).ToList();
        for (int round = 0; round < 200; round++)
        {
            foreach (var share in shares) share.TryTake(65 * 1024 + 1);
        }

        Assert.Equal(MemoryVerdict.Granted, sut.Join(string.Empty).TryTake(16 * 1024));
        Assert.InRange(sut.Used, 48 * MiB, 64 * MiB);
    }

    [Fact]
    public void What_has_not_arrived_takes_at_most_half()
    {
        var sut = new MemoryBudget(64 * MiB, 16 * MiB);
        var shares = Enumerable.Range(0, 100).Select(i => sut.Join(i < 50 ? string.Empty : $"192.0.2.{i % 5}")).ToList();
        for (int round = 0; round < 100; round++)
        {
            foreach (var share in shares) share.TryTakeAhead(MiB);
        }

        Assert.InRange(sut.Used, 24 * MiB, 32 * MiB);
        Assert.All(shares.Skip(50).Select(share => share.Address!), address => Assert.InRange(address.Used, 0, 8 * MiB));
        Assert.Equal(MemoryVerdict.Granted, sut.Join(string.Empty).TryTake(8 * MiB));
    }

    [Fact]
    public void A_beginning_takes_what_it_needs_now_and_only_if_there_is_room_for_all()
    {
        var sut = new MemoryBudget(64 * MiB, 40 * MiB);
        MemoryShare local = sut.Join(string.Empty), stranger = sut.Join("192.0.2.1");
        Assert.Equal(MemoryVerdict.Granted, local.TryBegin(1_024, wanted: 32 * MiB));
        Assert.Equal(1_024, sut.Used);
        Assert.Equal(MemoryVerdict.NoRoom, local.TryBegin(1_024, wanted: 33 * MiB));
        Assert.Equal(MemoryVerdict.NoRoomForAddress, stranger.TryBegin(1_024, wanted: 41 * MiB));
        Assert.Equal((1_024, 0), (sut.Used, stranger.Used));
    }

    [Fact]
    public void The_connections_of_one_address_have_a_part_together_and_others_are_not_touched()
    {
        var sut = new MemoryBudget(64 * MiB, 8 * MiB);
        MemoryShare first = sut.Join("192.0.2.1"), second = sut.Join("192.0.2.1"), other = sut.Join("192.0.2.2"), local = sut.Join(string.Empty);
        Assert.Equal(MemoryVerdict.Granted, first.TryTake(6 * MiB));
        Assert.Equal(MemoryVerdict.NoRoomForAddress, second.TryTake(3 * MiB));
        Assert.Equal(MemoryVerdict.Granted, second.TryTake(2 * MiB));
        Assert.Equal(MemoryVerdict.Granted, other.TryTake(8 * MiB));
        Assert.Equal(MemoryVerdict.Granted, local.TryTake(16 * MiB));
        Assert.Equal(32 * MiB, sut.Used);
    }

    [Fact]
    public void A_peer_that_is_known_does_not_count_for_its_address()
    {
        var sut = new MemoryBudget(64 * MiB, 8 * MiB);
        MemoryShare known = sut.Join("192.0.2.1"), stranger = sut.Join("192.0.2.1");
        Assert.Equal(MemoryVerdict.Granted, known.TryTake(8 * MiB));
        Assert.Equal(MemoryVerdict.NoRoomForAddress, stranger.TryTake(MiB));
        known.LeaveAddress();
        Assert.Equal(MemoryVerdict.Granted, stranger.TryTake(8 * MiB));
        Assert.Equal(MemoryVerdict.Granted, known.TryTake(8 * MiB));
        known.Release(16 * MiB);
        stranger.Release(8 * MiB);
        Assert.Equal(0, sut.Used);
    }

    [Fact]
    public void An_address_that_has_left_begins_anew()
    {
        var sut = new MemoryBudget(64 * MiB, 8 * MiB);
        var first = sut.Join("192.0.2.1");
        Assert.Equal(MemoryVerdict.Granted, first.TryTake(8 * MiB));
        first.Release(8 * MiB);
        first.Leave();
        Assert.Equal(MemoryVerdict.Granted, sut.Join("192.0.2.1").TryTake(8 * MiB));
    }

    [Fact]
    public void What_is_there_already_is_taken_beyond_the_limit_and_leaves_nothing_for_others()
    {
        var sut = new MemoryBudget(64 * MiB, BudgetLimits.Unbounded);
        MemoryShare share = sut.Join(string.Empty), other = sut.Join(string.Empty);
        Assert.False(share.IsShort);
        share.Take(65 * MiB);
        Assert.True(share.IsShort);
        Assert.True(other.IsShort); // although it holds nothing: each reply more would be beyond the limit
        Assert.Equal(MemoryVerdict.NoRoom, other.TryTake(1_024));
        share.Release(64 * MiB);
        Assert.False(share.IsShort);
        Assert.Equal(MemoryVerdict.Granted, other.TryTake(1_024));
    }

    [Fact]
    public void A_connection_whose_peer_does_not_read_leaves_half_of_the_limit_however_little_it_holds()
    {
        var sut = new MemoryBudget(64 * MiB, BudgetLimits.Unbounded);
        MemoryShare share = sut.Join(string.Empty), other = sut.Join(string.Empty);
        share.Take(1_024);
        other.Take(33 * MiB);
        Assert.False(share.IsShort);
        share.IsSlow = true;
        Assert.True(share.IsShort);
        other.Release(2 * MiB);
        Assert.False(share.IsShort);
    }

    [Fact]
    public void Without_a_limit_everything_has_room()
    {
        var share = new MemoryBudget(BudgetLimits.Unbounded, BudgetLimits.Unbounded).Join("192.0.2.1");
        Assert.Equal(MemoryVerdict.Granted, share.TryTake(1L << 50));
        Assert.False(share.IsShort);
    }

    [Fact]
    public void Threads_that_take_and_give_back_leave_nothing_behind()
    {
        int seed = Random.Shared.Next();
        TestContext.Current.TestOutputHelper?.WriteLine($"seed {seed}");
        var sut = new MemoryBudget(64 * MiB, 32 * MiB);
        Parallel.For(0, 4, thread =>
        {
            var random = new Random(seed + thread);
            var share = sut.Join(thread % 2 == 0 ? "192.0.2.1" : string.Empty);
            for (int i = 0; i < 20_000; i++)
            {
                long bytes = random.Next(1, 4 << 20);
                if (random.Next(10) == 0) share.Take(bytes);
                else if (share.TryTake(bytes) != MemoryVerdict.Granted) continue;
                if (random.Next(1_000) == 0) share.LeaveAddress();
                share.Release(bytes);
            }

            share.Leave();
        });
        Assert.Equal(0, sut.Used);
    }

    [Fact]
    public void Threads_that_take_beside_each_other_never_pass_a_limit()
    {
        var sut = new MemoryBudget(64 * MiB, 8 * MiB);
        Parallel.For(0, 4, thread =>
        {
            var share = sut.Join(thread % 2 == 0 ? "192.0.2.1" : "192.0.2.2");
            for (int i = 0; i < 1_000_000; i++)
            {
                if (share.TryTake(5 * MiB) != MemoryVerdict.Granted) continue;
                Assert.InRange(sut.Used, 5 * MiB, 10 * MiB); // one of them fits at each address
                share.Release(5 * MiB);
            }
        });
        Assert.Equal(0, sut.Used);
    }

    [Fact]
    public void What_an_address_counts_is_exact_although_peers_become_known_while_they_take()
    {
        var sut = new MemoryBudget(64 * MiB, 8 * MiB);
        var stranger = sut.Join("192.0.2.1");
        for (int round = 0; round < 500; round++)
        {
            var share = sut.Join("192.0.2.1");
            long held = 0;
            Parallel.Invoke(
                () => TakeUntilKnown(share, ref held),
                () =>
                {
                    SpinWait.SpinUntil(() => Volatile.Read(ref held) > 0, TimeSpan.FromSeconds(30));
                    share.LeaveAddress();
                });
            Assert.Equal(MemoryVerdict.Granted, stranger.TryTake(8 * MiB));
            Assert.Equal(MemoryVerdict.NoRoomForAddress, stranger.TryTake(1));
            stranger.Release(8 * MiB);
            share.Release(held);
            share.Leave();
            Assert.Equal((0L, 0L), (sut.Used, share.Used));
        }
    }

    [Fact]
    public void Room_is_taken_and_given_back_although_a_connection_joins_at_the_same_time()
    {
        var sut = new MemoryBudget(64 * MiB, 8 * MiB);
        var share = sut.Join("192.0.2.1");
        var gate = typeof(MemoryBudget).GetField("_gate", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(sut)!;
        MemoryVerdict? verdict = null;
        var taking = new Thread(() =>
        {
            verdict = share.TryTake(MiB);
            share.Take(MiB);
            share.Release(2 * MiB);
        });
        taking.IsBackground = true;
        lock ((Lock)gate)
        {
            taking.Start();
            Assert.True(taking.Join(TimeSpan.FromSeconds(30)), "Taking room waited for the lock of those that join.");
        }

        Assert.Equal((MemoryVerdict.Granted, 0L), (verdict, sut.Used));
    }

    private static void TakeUntilKnown(MemoryShare share, ref long held)
    {
        while (share.Address is not null)
        {
            if (share.TryTake(10) == MemoryVerdict.Granted) Interlocked.Add(ref held, 10);
            share.Take(10);
            share.Release(10);
        }
    }

    private static int TakeAll(MemoryShare share)
    {
        int taken = 0;
        while (share.TryTake(MiB) == MemoryVerdict.Granted) taken++;
        return taken;
    }
}
