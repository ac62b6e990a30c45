using Mux.Runtime;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Execution;

public sealed class WaitingAgeTests
{
    private readonly WaitingAge _sut = new();

    [Fact]
    public void Nothing_waits_in_an_empty_queue()
    {
        Assert.Equal(0, _sut.Look(1_000, 0, 0));
        Assert.Equal(0, _sut.Look(2_000, 7, 7));
    }

    [Fact]
    public void The_first_item_has_waited_since_the_first_look_that_found_it()
    {
        Assert.Equal(0, _sut.Look(1_000, 0, 3));
        Assert.Equal(4_000, _sut.Look(5_000, 2, 9)); // the third item was there
        Assert.Equal(5_000, _sut.Look(10_000, 5, 12)); // the first of those that were not
        Assert.Equal(0, _sut.Look(12_000, 12, 12));
        Assert.Equal(0, _sut.Look(13_000, 12, 13));
    }

    [Fact]
    public void Whatever_comes_and_goes_the_age_is_never_too_high_and_too_low_by_a_few_looks_at_most()
    {
        var random = new Random(TestSeed.Next());
        var addedAt = new List<long>();
        long now = 0, head = 0, longestGap = 0;
        for (int look = 0; look < 20_000; look++)
        {
            long gap = random.Next(1, 2_000);
            now += gap;
            longestGap = Math.Max(longestGap, gap);
            for (int added = random.Next(6); added > 0; added--) addedAt.Add(now - random.Next((int)gap));
            addedAt.Sort((int)head, addedAt.Count - (int)head, null);
            bool isBusy = look / 500 % 2 == 0; // the queue grows for 500 looks, and shrinks for as many
            head = Math.Min(addedAt.Count, head + random.Next(isBusy ? 4 : 8));
            long real = head == addedAt.Count ? 0 : now - addedAt[(int)head];

            Assert.InRange(_sut.Look(now, head, addedAt.Count), Math.Max(0, real - 2 * longestGap - 4_000), real);
        }
    }

    [Fact]
    public void A_queue_that_stands_for_long_is_measured_with_little_memory()
    {
        long now = 0;
        for (int look = 0; look < 20_000; look++) _sut.Look(now += 1_000, 0, look + 1);
        Assert.Equal(19_999_000, _sut.Look(now, 0, 20_000));

        long age = _sut.Look(now, 10_000, 20_000); // an item of half that time
        Assert.InRange(age, 9_900_000, 10_000_000);
    }
}
