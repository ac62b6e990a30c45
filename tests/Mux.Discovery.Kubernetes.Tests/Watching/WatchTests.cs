using System.Collections.Concurrent;
using System.Text;
using k8s;
using Mux.Discovery.Kubernetes.Tests.Server;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;

namespace Mux.Discovery.Kubernetes.Tests.Watching;

/// <summary>Lists, watches, and how a watch continues the one before.</summary>
public sealed class WatchTests
{
    private static readonly Pod s_first = new("10.0.0.1");
    private static readonly Pod s_second = new("10.0.0.2");

    [Fact]
    public async Task The_slices_of_the_service_are_listed_and_then_watched_from_that_version()
    {
        await using var cluster = await Cluster.StartAsync();
        var list = await cluster.Server.ListAsync();
        Assert.Equal("/apis/discovery.k8s.io/v1/namespaces/prod/endpointslices", list.Path);
        Assert.Equal("kubernetes.io/service-name=orders", list.Query["labelSelector"]);
        Assert.False(list.Query.ContainsKey("resourceVersion")); // an older list than the newest could bring back pods that are gone
        await list.AnswerAsync(SliceText.List(101, new SliceText("orders-a", 90, s_first)));

        Assert.Equal("mux://10.0.0.1:7070", await cluster.Sets.TextAsync());
        var watch = await cluster.Server.WatchAsync();
        Assert.Equal(list.Path, watch.Path);
        Assert.Equal("kubernetes.io/service-name=orders", watch.Query["labelSelector"]);
        Assert.Equal("101", watch.Query["resourceVersion"]);
        Assert.Equal("300", watch.Query["timeoutSeconds"]);
        Assert.Equal("true", watch.Query["allowWatchBookmarks"]);
    }

    [Fact]
    public async Task Slices_are_added_changed_and_deleted()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(new SliceText("orders-a", 90, s_first));

        await watch.SendAsync(new SliceText("orders-b", 102, s_second).Added);
        Assert.Equal("mux://10.0.0.1:7070, mux://10.0.0.2:7070", await cluster.Sets.TextAsync());
        await watch.SendAsync(new SliceText("orders-b", 103, s_second.Leaving).Modified);
        Assert.Equal("mux://10.0.0.1:7070, mux://10.0.0.2:7070 leaving", await cluster.Sets.TextAsync());
        await watch.SendAsync(new SliceText("orders-a", 104, s_first).Deleted);
        Assert.Equal("mux://10.0.0.2:7070 leaving", await cluster.Sets.TextAsync());
        await watch.SendAsync(new SliceText("orders-b", 105, s_second.Leaving).Deleted);
        Assert.Equal(string.Empty, await cluster.Sets.TextAsync());
    }

    [Fact]
    public async Task A_service_without_slices_has_an_empty_set()
    {
        await using var cluster = await Cluster.StartAsync();
        await (await cluster.Server.ListAsync()).AnswerAsync("""{"kind":"EndpointSliceList","apiVersion":"discovery.k8s.io/v1","metadata":{"resourceVersion":"7"},"items":[]}""");
        Assert.Empty(await cluster.Sets.NextAsync());
    }

    [Theory]
    [InlineData(KubernetesAddressFamily.Any, "mux://10.0.0.1:7070")]
    [InlineData(KubernetesAddressFamily.IPv4, "mux://10.0.0.1:7070")]
    [InlineData(KubernetesAddressFamily.IPv6, "mux://[fd00::1]:7070")]
    public async Task The_address_family_is_an_option(KubernetesAddressFamily family, string expected)
    {
        await using var cluster = await Cluster.StartAsync(options: new KubernetesDiscoveryOptions { AddressFamily = family });
        await (await cluster.Server.ListAsync()).AnswerAsync(
            SliceText.List(101, new SliceText("orders-a", 90, s_first), new SliceText("orders-b", 91, new Pod("fd00::1")) { AddressType = "IPv6" }));
        Assert.Equal(expected, await cluster.Sets.TextAsync());
    }

    [Fact]
    public async Task A_list_of_several_pages_is_read_whole()
    {
        await using var cluster = await Cluster.StartAsync();
        var first = await cluster.Server.ListAsync();
        Assert.Equal("250", first.Query["limit"]);
        await first.AnswerAsync(SliceText.Page(101, "eyJ2Ijoi+/=", new SliceText("orders-a", 90, s_first)));
        var second = await cluster.Server.ListAsync();
        Assert.Equal("eyJ2Ijoi+/=", second.Query["continue"]);
        await second.AnswerAsync(SliceText.List(101, new SliceText("orders-b", 91, s_second)));
        Assert.Equal("mux://10.0.0.1:7070, mux://10.0.0.2:7070", await cluster.Sets.TextAsync());
    }

    [Fact]
    public async Task A_watch_that_the_server_ends_is_continued_without_a_list()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(new SliceText("orders-a", 90, s_first));
        await watch.SendAsync(new SliceText("orders-a", 107, s_second).Modified);
        await cluster.Sets.NextAsync();
        cluster.Time.Advance(Cluster.AWhile);
        watch.End();

        var next = await cluster.OpenAsync();
        Assert.Equal("107", next.Query["resourceVersion"]);
        await next.SendAsync(new SliceText("orders-b", 108, s_first).Added);
        Assert.Equal("mux://10.0.0.2:7070, mux://10.0.0.1:7070", await cluster.Sets.TextAsync()); // with what the watch before has told
    }

    [Theory]
    [InlineData("")]
    [InlineData(""","annotations":{"k8s.io/initial-events-end":"true"}""")]
    public async Task A_bookmark_moves_the_version_and_makes_no_set(string annotations)
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(new SliceText("orders-a", 90, s_first));
        await watch.SendAsync(SliceText.Bookmark(250, annotations));
        cluster.Time.Advance(Cluster.AWhile);
        watch.End();

        var next = await cluster.OpenAsync();
        Assert.Equal("250", next.Query["resourceVersion"]);
        await next.SendAsync(new SliceText("orders-b", 251, s_second).Added);
        Assert.Equal("mux://10.0.0.1:7070, mux://10.0.0.2:7070", await cluster.Sets.TextAsync());
    }

    [Fact]
    public async Task A_connection_that_breaks_within_an_event_loses_no_event()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(new SliceText("orders-a", 90, s_first));
        await watch.SendAsync(new SliceText("orders-b", 102, s_second).Added);
        await cluster.Sets.NextAsync();
        await watch.SendAsync(new SliceText("orders-c", 103, new Pod("10.0.0.3")).Added[..200]);
        cluster.Time.Advance(Cluster.AWhile);
        watch.Break();

        var next = await cluster.OpenAsync();
        Assert.Equal("102", next.Query["resourceVersion"]);
        await next.SendAsync(new SliceText("orders-c", 103, new Pod("10.0.0.3")).Added);
        Assert.Equal("mux://10.0.0.1:7070, mux://10.0.0.2:7070, mux://10.0.0.3:7070", await cluster.Sets.TextAsync());
    }

    [Fact]
    public async Task Types_of_events_of_later_versions_are_ignored()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(new SliceText("orders-a", 90, s_first));
        await watch.SendAsync(new SliceText("orders-a", 102, s_second).Added.Replace("ADDED", "PAUSED", StringComparison.Ordinal));
        await watch.SendAsync("""{"type":"HINT","object":"none"}""" + "\r\n\n");
        await watch.SendAsync(new SliceText("orders-b", 103, s_second).Added);
        Assert.Equal("mux://10.0.0.1:7070, mux://10.0.0.2:7070", await cluster.Sets.TextAsync());
    }

    [Fact]
    public async Task Events_are_read_one_byte_at_a_time()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync();
        var bytes = Encoding.UTF8.GetBytes(new SliceText("orders-a", 102, new Pod("10.0.0.1", "zürich-1")).Added);
        for (int i = 0; i < bytes.Length; i++) await watch.SendAsync(bytes.AsMemory(i, 1));
        Assert.Equal("zürich-1", Assert.Single(await cluster.Sets.NextAsync()).Zone);
    }

    [Fact]
    public async Task Watches_that_end_at_once_follow_each_other_once_a_second()
    {
        var second = TimeSpan.FromSeconds(1);
        await using var server = await ScriptedApiServer.StartAsync();
        var time = new NotedTime();
        var options = new KubernetesDiscoveryOptions { Configuration = () => new KubernetesClientConfiguration { Host = server.Address.ToString() } };
        await using var sets = new WatchedSource(new KubernetesEndpointSource("mux+k8s://orders.prod:rpc", options, timeProvider: time), time);
        await (await server.ListAsync()).AnswerAsync(SliceText.List(101));
        for (int watches = 1; watches < 4; watches++)
        {
            var watch = await server.WatchAsync();
            await watch.OpenAsync();
            watch.End();
            await Eventually.Holds(() => time.Waits.Count(wait => wait == second) == watches, "the source pauses for a second");
            Assert.Equal(0, server.Waiting);
            time.Clock.Advance(second);
        }
    }

    [Fact]
    public async Task Endpoints_that_cannot_be_used_are_logged_in_a_list_and_in_a_watch()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(new SliceText("orders-a", 90, s_first), new SliceText("orders-b", 91, new Pod("x")));
        await watch.SendAsync(new SliceText("orders-b", 102, s_second, new Pod("x")).Modified);
        Assert.Equal("mux://10.0.0.1:7070, mux://10.0.0.2:7070", await cluster.Sets.TextAsync());
        await watch.SendAsync(new SliceText("orders-c", 103, new Pod("y")).Added);
        await cluster.Sets.NextAsync();
        Assert.Equal([(5101, Text("orders-b", "x")), (5101, Text("orders-c", "y"))], cluster.Logs.Of("KubernetesEndpointsSkipped").Select(entry => (entry.Id, entry.Text)));

        static string Text(string slice, string address) =>
            $"Endpoints of the EndpointSlice {slice} of orders.prod are skipped: an endpoint has the address '{address}': expected IPv4. Logged once, until the reason changes.";
    }

    [Fact]
    public async Task A_channel_that_ends_closes_the_watch()
    {
        var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync();
        await cluster.Sets.DisposeAsync();
        await watch.Abandoned.WaitAsync();
        await cluster.Server.DisposeAsync();
    }

    /// <summary>A manual clock that notes how long somebody wants to wait.</summary>
    private sealed class NotedTime : TimeProvider
    {
        public ManualTime Clock { get; } = new();

        public ConcurrentQueue<TimeSpan> Waits { get; } = [];

        public override long TimestampFrequency => Clock.TimestampFrequency;

        public override long GetTimestamp() => Clock.GetTimestamp();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            Waits.Enqueue(dueTime);
            return Clock.CreateTimer(callback, state, dueTime, period);
        }
    }
}
