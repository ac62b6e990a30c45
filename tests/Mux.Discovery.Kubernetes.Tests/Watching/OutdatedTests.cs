using Mux.Discovery.Kubernetes.Api;
using Mux.Discovery.Kubernetes.Tests.Server;

namespace Mux.Discovery.Kubernetes.Tests.Watching;

/// <summary>What ends a watch so that only a new list helps.</summary>
public sealed class OutdatedTests
{
    private static readonly SliceText s_before = new("orders-a", 90, new Pod("10.0.0.1"));
    private static readonly SliceText s_after = new("orders-b", 190_000, new Pod("10.0.0.2"));

    [Fact]
    public async Task Gone_as_an_event_lists_again()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(s_before);
        cluster.Time.Advance(Cluster.AWhile);
        await watch.SendAsync(SliceText.Gone);
        await AssertListsAgainAsync(cluster);
    }

    [Fact]
    public async Task Gone_as_an_answer_lists_again()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(s_before);
        cluster.Time.Advance(Cluster.AWhile);
        watch.End();
        await (await cluster.Server.WatchAsync()).AnswerAsync(SliceText.Status(410, "Expired", "too old resource version: 101 (190001)"), 410);
        await AssertListsAgainAsync(cluster);
    }

    [Fact]
    public async Task A_watch_that_is_silent_for_90_seconds_is_closed_and_the_slices_are_listed_again()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(s_before);
        await watch.SendAsync(new SliceText("orders-a", 102, new Pod("10.0.0.3")).Modified);
        await cluster.Sets.NextAsync(); // the watch is being read
        cluster.Time.Advance(TimeSpan.FromSeconds(90));
        await watch.Abandoned.WaitAsync();
        await AssertListsAgainAsync(cluster);
    }

    [Fact]
    public async Task A_line_in_each_90_seconds_keeps_the_watch()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(s_before);
        for (int version = 102; version < 107; version++)
        {
            await watch.SendAsync(new SliceText("orders-a", version, new Pod($"10.0.0.{version}")).Modified);
            Assert.Equal($"mux://10.0.0.{version}:7070", await cluster.Sets.TextAsync());
            cluster.Time.Advance(TimeSpan.FromSeconds(89));
        }

        Assert.False(watch.Abandoned.IsSet);
        Assert.Equal(0, cluster.Server.Waiting);
    }

    [Fact]
    public async Task A_line_beyond_the_limit_is_not_kept_and_lists_again()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(s_before);
        cluster.Time.Advance(Cluster.AWhile);
        await watch.SendAsync("{\"type\":\"ADDED\",\"object\":{\"kind\":\"EndpointSlice\",\"metadata\":{\"name\":\"");
        var filler = new byte[1024 * 1024];
        filler.AsSpan().Fill((byte)'x');
        for (int sent = 0; sent <= ApiServer.MaxBytes && !watch.Abandoned.IsSet; sent += filler.Length) await SendUnlessAbandonedAsync(watch, filler);
        await watch.Abandoned.WaitAsync();
        await AssertListsAgainAsync(cluster);
    }

    [Theory]
    [InlineData("this is no JSON\n")]
    [InlineData("[]\n")]
    [InlineData("""{"type":"ADDED"}""" + "\n")]
    [InlineData("""{"type":"ADDED","object":{"metadata":{"resourceVersion":"5"}}}""" + "\n")] // without a name
    [InlineData("""{"type":"MODIFIED","object":{"metadata":{"name":"orders-a"}}}""" + "\n")] // without a version
    [InlineData("""{"type":"BOOKMARK","object":{"metadata":{}}}""" + "\n")]
    public async Task An_event_that_cannot_be_read_lists_again(string line)
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(s_before);
        cluster.Time.Advance(Cluster.AWhile);
        await watch.SendAsync(line);
        await AssertListsAgainAsync(cluster);
    }

    [Fact]
    public async Task A_fresh_list_that_is_outdated_at_once_is_a_failure_so_that_the_channel_pauses()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(s_before);
        await watch.SendAsync(SliceText.Gone);
        var failure = await cluster.Sets.FailureAsync<IOException>();
        Assert.Contains("orders.prod at once: the API server no longer knows the version 101 (410 Gone)", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Another_error_as_an_event_is_a_failure_with_its_message()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(s_before);
        await watch.SendAsync("""{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"etcdserver: leader changed","code":500}}""" + "\n");
        var failure = await cluster.Sets.FailureAsync<IOException>();
        Assert.Contains("answered 500", failure.Message, StringComparison.Ordinal);
        Assert.Contains("etcdserver: leader changed", failure.Message, StringComparison.Ordinal);
    }

    /// <summary>What was deleted while nobody watched is not in the new set.</summary>
    private static async Task AssertListsAgainAsync(Cluster cluster)
    {
        await (await cluster.Server.ListAsync()).AnswerAsync(SliceText.List(190_001, s_after));
        Assert.Equal("mux://10.0.0.2:7070", await cluster.Sets.TextAsync());
        Assert.Equal("190001", (await cluster.Server.WatchAsync()).Query["resourceVersion"]);
    }

    private static async Task SendUnlessAbandonedAsync(ApiRequest watch, byte[] bytes)
    {
        try
        {
            await watch.SendAsync(bytes);
        }
        catch (Exception) when (watch.Abandoned.IsSet)
        {
            // The source has closed the connection meanwhile.
        }
    }
}
