using System.Globalization;
using Mux.TestSupport.EndToEnd;
using StackExchange.Redis;

namespace Mux.Redis.Tests.Processes;

/// <summary>How many bytes an item takes to Redis, and what becomes of items when Redis loses the script that is not sent with them.</summary>
public sealed class RequestSizeTests(ITestOutputHelper output)
{
    private const int Length = 64, Envelope = 28, Items = 1_000, Most = 400;

    [Theory]
    [InlineData(0)]
    [InlineData(5)]
    public async Task An_item_of_64_bytes_takes_fewer_than_400_bytes_to_Redis(int retain)
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        await using var sut = new RedisBackplane(new MuxRedisOptions { Configuration = redis.Address });
        byte[] item = new byte[Length + Envelope];
        Assert.True(sut.TryPublish("topics:Prices.Tick:ERIC", item, retain, tag: 1));
        await Eventually.Holds(() => sut.Queued == 0, "the first answer");
        long before = await ReadAsync(admin, redis);
        for (int i = 2; i <= Items; i++) Assert.True(sut.TryPublish("topics:Prices.Tick:ERIC", item, retain, i));
        await Eventually.Holds(() => sut.Queued == 0, "all answers");
        double each = (await ReadAsync(admin, redis) - before) / (Items - 1.0);
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{each:F0} bytes to Redis for an item of {Length} bytes, {retain} retained"));
        Assert.InRange(each, Length, Most);
    }

    [Fact]
    public async Task Items_come_in_order_and_once_while_Redis_loses_its_scripts()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        await using var one = new Node(redis, 1);
        await using var two = new Node(redis, 2);
        await using Follower here = one.Follow("a"), there = two.Follow("a");
        await one.ReachesAsync("a", there);
        int last = 0;
        for (int flush = 0; flush < 20; flush++)
        {
            var flushing = admin.GetDatabase().ExecuteAsync("SCRIPT", "FLUSH");
            for (int i = 0; i < 50; i++) last = one.Publish("a");
            await flushing;
            await here.GotAsync(1, last);
        }

        await one.ReachesAsync("a", there);
        here.AssertInOrderAndOnce();
        there.AssertInOrderAndOnce();
        Assert.Equal(Enumerable.Range(1, last + 1), here.Got.Where(item => item.Publisher == 1).Select(item => item.Index));
        Assert.Equal(here.Got.Count - one.Backplane.Refused, there.Got.Count); // what Redis did not serve was told
        Assert.Empty(one.Logs.Of("BackplaneInterrupted"));
    }

    private static async Task<long> ReadAsync(ConnectionMultiplexer admin, RedisProcess redis)
    {
        var stats = await admin.GetServer(redis.Address).InfoAsync("stats");
        return long.Parse(stats.SelectMany(static group => group).Single(static one => one.Key == "total_net_input_bytes").Value, CultureInfo.InvariantCulture);
    }
}
