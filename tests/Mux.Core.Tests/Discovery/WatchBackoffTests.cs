using Mux.Client;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Discovery;

/// <summary>How long a feed waits for a source that has failed.</summary>
public sealed class WatchBackoffTests
{
    private const long LongWatch = 30_000_000;

    [Fact]
    public void The_ceiling_of_the_pauses_doubles_up_to_30_seconds_and_none_is_less_than_one()
    {
        var highest = new WatchBackoff(new ChosenRandom(1));
        Assert.Equal([2, 4, 8, 16, 30, 30, 30], Enumerable.Range(0, 7).Select(_ => highest.OnFailed(0).TotalSeconds));
        var lowest = new WatchBackoff(new ChosenRandom(0));
        Assert.Equal([1, 1, 1, 1, 1, 1, 1], Enumerable.Range(0, 7).Select(_ => lowest.OnFailed(0).TotalSeconds));
    }

    [Fact]
    public void Only_a_watch_as_long_as_the_longest_pause_starts_the_pauses_again()
    {
        var backoff = new WatchBackoff(new ChosenRandom(1));
        Assert.Equal([2, 4, 8], [backoff.OnFailed(0).TotalSeconds, backoff.OnFailed(0).TotalSeconds, backoff.OnFailed(LongWatch - 1).TotalSeconds]);
        Assert.Equal([2, 4], [backoff.OnFailed(LongWatch).TotalSeconds, backoff.OnFailed(0).TotalSeconds]);
    }

    [Fact]
    public void Pauses_are_spread_over_their_whole_range() => Seeds.ForEach(20, seed =>
    {
        var backoff = new WatchBackoff(new Random(seed));
        var pauses = Enumerable.Range(0, 500).Select(_ => backoff.OnFailed(0).TotalSeconds).Skip(4).ToList();
        Assert.All(pauses, pause => Assert.InRange(pause, 1, 30));
        Assert.Contains(pauses, pause => pause < 3);
        Assert.Contains(pauses, pause => pause > 28);
    });
}
