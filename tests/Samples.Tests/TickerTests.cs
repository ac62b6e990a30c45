using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Ticker;

namespace Samples.Tests;

/// <summary>samples/12-ticker, with fewer subscribers.</summary>
public sealed class TickerTests
{
    private const int Count = 20;

    [Fact]
    public async Task Every_subscriber_gets_or_knows_that_it_has_missed_each_tick()
    {
        await using var market = Market.Start("mux://127.0.0.1:0");
        await using var subscribers = await Subscribers.StartAsync(market.Address, Count);
        await Eventually.Holds(() => market.Statistics.Subscribers == Count, "all subscribers are there");

        for (int i = 0; i < 1_000; i++) market.PublishOne();

        await Eventually.Holds(() => subscribers.All.All(subscriber => subscriber.Received + subscriber.Missed == 1_000), "each subscriber is at the last tick");
        Assert.Equal(0, subscribers.Missed); // 1,000 ticks fit into the queue of each
        Assert.Equal(1_000, market.Statistics.Encoded);
    }

    [Fact]
    public async Task The_board_shows_the_last_price_of_each_share()
    {
        await using var market = Market.Start("mux://127.0.0.1:0");
        await using var subscribers = await Subscribers.StartAsync(market.Address, 1);
        await Eventually.Holds(() => market.Statistics.Subscribers == 1, "the subscriber is there");
        var last = new int[Shares.Names.Count];
        using var stop = new CancellationTokenSource();
        var watching = WatchAsync();

        for (int i = 0; i < 500; i++) market.PublishOne();

        await watching.Within("500 ticks in this process");
        await Eventually.Holds(() => last.Index().All(share => subscribers.Board.CentsOf(share.Index) == share.Item), "the board is at the last tick");
        Assert.All(Shares.Names, name => Assert.Contains(name, subscribers.Board.Render(), StringComparison.Ordinal));

        async Task WatchAsync()
        {
            int seen = 0;
            await foreach (var tick in market.Watch(stop.Token))
            {
                last[tick.Share] = tick.Cents;
                if (++seen == 500) return;
            }
        }
    }

    [Fact]
    public async Task The_demo_prints_a_line_each_second_and_ends()
    {
        using var output = new StringWriter();

        await Demo.RunAsync(perSecond: 200, subscribers: 5, seconds: 2, output, TestContext.Current.CancellationToken).Within("the demo");

        string[] lines = output.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(4, lines.Length); // a title, a line for each second, a sum
        Assert.Contains("each encoded 1 time", lines[3], StringComparison.Ordinal);
    }
}
