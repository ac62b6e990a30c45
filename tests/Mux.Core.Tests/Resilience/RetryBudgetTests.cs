using Mux.Calls;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Resilience;

public sealed class RetryBudgetTests
{
    private const long Second = RetryBudget.Second;

    [Fact]
    public void Ten_attempts_are_allowed_without_any_call_and_no_more_until_they_are_old()
    {
        var sut = new RetryBudget();
        for (int i = 0; i < RetryBudget.Floor; i++) Assert.True(sut.TryTake(0, 0));

        Assert.False(sut.TryTake(9 * Second, 0));
        Assert.Equal(RetryBudget.Floor, sut.Left(11 * Second, 0));
    }

    [Fact]
    public void A_tenth_of_the_calls_may_be_attempted_again()
    {
        var sut = new RetryBudget();
        sut.Look(0, 0);

        Assert.Equal(RetryBudget.Floor + 100, sut.Left(Second / 2, 1_000));
    }

    [Fact]
    public void Calls_count_for_ten_seconds_of_looks()
    {
        var sut = new RetryBudget();
        for (int second = 0; second <= 60; second++) sut.Look(second * Second, second * 1_000L); // 1,000 a second

        Assert.InRange(sut.Left(60 * Second, 60_000), RetryBudget.Floor + 900, RetryBudget.Floor + 1_000);
        Assert.Equal(RetryBudget.Floor, sut.Left(71 * Second, 60_000));
    }

    [Fact]
    public void Calls_that_were_made_before_the_first_look_or_were_taken_back_count_as_none()
    {
        var sut = new RetryBudget();
        Assert.Equal(RetryBudget.Floor, sut.Left(0, 1_000_000));
        Assert.Equal(RetryBudget.Floor, sut.Left(0, 999_000)); // withdrawn calls leave the sum until they start elsewhere
        Assert.Equal(RetryBudget.Floor, sut.Left(0, 1_000_000));
    }

    [Fact]
    public void Within_any_ten_seconds_attempts_are_at_most_ten_and_a_tenth_of_the_calls() => Seeds.ForEach(300, seed =>
    {
        var random = new Random(seed);
        var sut = new RetryBudget();
        List<long> calls = [], attempts = [];
        long now = random.NextInt64(100 * Second), granted = 0;
        sut.Look(now, 0);
        for (int step = 0; step < 500; step++)
        {
            now += random.Next(6) == 0 ? random.NextInt64(4 * Second) : random.NextInt64(Second / 10);
            for (int i = random.Next(random.Next(60)); i > 0; i--) calls.Add(now);
            if (random.Next(3) == 0) sut.Look(now, calls.Count);
            for (int i = random.Next(8); i > 0; i--)
            {
                if (!sut.TryTake(now, calls.Count)) continue;
                granted++;
                attempts.Add(now);
                long from = now - RetryBudget.Window;
                int most = RetryBudget.Floor + (int)(calls.Count(at => at > from) * RetryBudget.Share);
                Assert.True(attempts.Count(at => at > from) <= most, $"attempt {granted} at {now}: {attempts.Count(at => at > from)} of {most}");
            }
        }

        Assert.True(granted > RetryBudget.Floor, "Nothing was granted for calls.");
    });
}
