using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

public sealed class DeadlineTableTests
{
    [Fact]
    public void An_empty_table_is_never_due()
    {
        var sut = new DeadlineTable();

        Assert.Equal(Clock.Never, sut.NextDue);
        Assert.Equal(0, sut.TakeExpired(long.MaxValue - 1, new int[4]));
    }

    [Fact]
    public void A_later_entry_of_a_slot_replaces_the_earlier_one()
    {
        var sut = new DeadlineTable();
        sut.Set(5, 100);
        sut.Set(5, 300);

        Assert.Equal(0, sut.TakeExpired(200, new int[4]));
        Assert.Equal(300, sut.NextDue);
    }

    [Fact]
    public void More_expired_entries_than_fit_are_found_by_asking_again()
    {
        var sut = new DeadlineTable();
        for (int slot = 1; slot <= 200; slot++) sut.Set(slot, 100);
        var slots = new int[64];
        var found = new List<int>();

        int count;
        do
        {
            count = sut.TakeExpired(100, slots);
            found.AddRange(slots.AsSpan(0, count));
        }
        while (count == slots.Length);

        Assert.Equal(Enumerable.Range(1, 200), found.Order());
        Assert.Equal(Clock.Never, sut.NextDue);
    }

    [Fact]
    public void It_agrees_with_a_naive_table() => Seeds.ForEach(50, seed =>
    {
        var random = new Random(seed);
        var sut = new DeadlineTable();
        var naive = new Dictionary<int, long>();
        var slots = new int[random.Next(1, 70)];
        long now = 0;
        for (int step = 0; step < 500; step++)
        {
            if (random.Next(4) > 0)
            {
                int slot = random.Next(1, random.Next(2) == 0 ? 40 : 2_000);
                long due = random.Next(5) == 0 ? Clock.Never : now + random.Next(100);
                sut.Set(slot, due);
                naive[slot] = due;
                continue;
            }

            now += random.Next(60);
            var expected = naive.Where(entry => entry.Value <= now).Select(entry => entry.Key).Order().ToList();
            var found = new List<int>();
            int count;
            do
            {
                count = sut.TakeExpired(now, slots);
                found.AddRange(slots.AsSpan(0, count));
            }
            while (count == slots.Length);

            Assert.Equal(expected, found.Order());
            expected.ForEach(slot => naive[slot] = Clock.Never);
            Assert.InRange(sut.NextDue, now + 1, naive.Count == 0 ? Clock.Never : naive.Values.Min()); // it may come early, never late
        }
    });
}
