using Mux.Engine;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Budgets;

public sealed class TokenBucketTests
{
    private const long Second = 1_000_000;

    [Fact]
    public void It_gives_what_it_holds_at_once_and_then_a_tenth_of_it_every_second()
    {
        var bucket = new TokenBucket(1_000);
        Assert.Equal(1_000, Drain(bucket, 0));
        Assert.Equal(0, Drain(bucket, Second / 1_000));
        Assert.Equal(100, Drain(bucket, Second));
        Assert.Equal(1_000, Drain(bucket, 11 * Second));
        Assert.Equal(1_000, Drain(bucket, 1_000 * Second));
    }

    [Fact]
    public void The_time_of_less_than_one_token_is_not_lost()
    {
        var bucket = new TokenBucket(10);
        Assert.Equal(10, Drain(bucket, 0));
        int taken = 0;
        for (long now = 0; now <= 10 * Second; now += 1_000) taken += bucket.TryTake(now) ? 1 : 0;
        Assert.Equal(10, taken);
    }

    [Fact]
    public void What_is_earned_is_kept_up_to_what_it_holds()
    {
        var bucket = new TokenBucket(10);
        Drain(bucket, 0);
        bucket.Earn(3);
        Assert.Equal(3, Drain(bucket, 0));
        bucket.Earn(long.MaxValue);
        Assert.Equal(10, Drain(bucket, 0));
    }

    [Fact]
    public void One_without_a_limit_never_runs_out()
    {
        var bucket = new TokenBucket(BudgetLimits.Unbounded);
        for (int i = 0; i < 100_000; i++) Assert.True(bucket.TryTake(i, 1_000_000));
    }

    [Fact]
    public void However_time_passes_no_ten_seconds_give_more_than_twice_what_it_holds() => Seeds.ForEach(50, seed =>
    {
        var random = new Random(seed);
        int capacity = random.Next(1, 500);
        var bucket = new TokenBucket(capacity);
        var taken = new Queue<long>();
        long now = 0;
        for (int i = 0; i < 20_000; i++)
        {
            now += random.Next(0, 20_000);
            if (bucket.TryTake(now)) taken.Enqueue(now);
            while (taken.TryPeek(out long oldest) && oldest <= now - TokenBucket.RefillTime) taken.Dequeue();
            Assert.InRange(taken.Count, 0, 2 * capacity);
        }
    });

    private static int Drain(TokenBucket bucket, long now)
    {
        int taken = 0;
        while (bucket.TryTake(now)) taken++;
        return taken;
    }
}
