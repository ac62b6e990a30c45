using System.Text;
using Mux.Discovery.Kubernetes.Api;
using Mux.Discovery.Kubernetes.Tests.Server;
using Mux.TestSupport.EndToEnd;

namespace Mux.Discovery.Kubernetes.Tests.Watching;

/// <summary>An API server that never comes to an end, by a fault or by intent.</summary>
public sealed class BoundsTests
{
    private static readonly SliceText s_slice = new("orders-a", 90, new Pod("10.0.0.1"));

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_list_without_an_end_is_a_failure_after_100_pages(bool isEmpty)
    {
        await using var cluster = await Cluster.StartAsync();
        for (int page = 1; page <= 100; page++) await (await cluster.Server.ListAsync()).AnswerAsync(SliceText.Page(101, $"next {page}", isEmpty ? [] : [s_slice]));
        var failure = await cluster.Sets.FailureAsync<IOException>();
        Assert.Equal($"{Name(cluster)} did not end its list of the EndpointSlices of orders.prod: expected at most 100 pages.", failure.Message);
        Assert.Equal(0, cluster.Server.Waiting);
    }

    [Fact]
    public async Task A_list_of_100_pages_is_read_whole()
    {
        await using var cluster = await Cluster.StartAsync();
        for (int page = 1; page < 100; page++) await (await cluster.Server.ListAsync()).AnswerAsync(SliceText.Page(101, $"next {page}"));
        await (await cluster.Server.ListAsync()).AnswerAsync(SliceText.List(101, s_slice));
        Assert.Equal("mux://10.0.0.1:7070", await cluster.Sets.TextAsync());
    }

    [Fact]
    public async Task A_list_that_takes_longer_than_2_minutes_is_a_failure()
    {
        await using var cluster = await Cluster.StartAsync();
        for (int page = 1; page <= 4; page++)
        {
            var list = await cluster.Server.ListAsync();
            cluster.Time.Advance(TimeSpan.FromSeconds(29)); // each page is within its own limit
            await list.AnswerAsync(SliceText.Page(101, $"next {page}", s_slice));
        }

        await cluster.Server.ListAsync();
        cluster.Time.Advance(TimeSpan.FromSeconds(4));
        var failure = await cluster.Sets.FailureAsync<IOException>();
        Assert.Equal($"{Name(cluster)} did not end its list of the EndpointSlices of orders.prod within 120 s.", failure.Message);
    }

    [Fact]
    public async Task A_watch_that_never_rests_is_read_at_a_pace()
    {
        await using var cluster = await Cluster.StartAsync();
        var watch = await cluster.ListedAsync(s_slice);
        var flood = new StringBuilder();
        for (int version = 102; version < 4_102; version++) flood.Append(SliceText.Bookmark(version));
        var sent = watch.SendAsync(flood.Append(new SliceText("orders-a", 5_000, new Pod("10.0.0.2")).Modified).ToString()); // may wait for the reader
        var next = cluster.Sets.TextAsync();
        for (int pauses = 1; pauses <= 2; pauses++)
        {
            await Eventually.Holds(() => cluster.Time.ArmedTimers == 2, "the pause, next to the limit of silence");
            Assert.False(next.IsCompleted);
            cluster.Time.Advance(TimeSpan.FromSeconds(2));
        }

        Assert.Equal("mux://10.0.0.2:7070", await next);
        await sent;
    }

    [Theory]
    [InlineData(1, 0, 0)]
    [InlineData(1_900, 0, 0)]
    [InlineData(2_000, 4_096, 3)]
    [InlineData(4_000, 4_096, 5)]
    [InlineData(1, 16_777_216, 3.097)]
    [InlineData(1, 1_500_000, 0)]
    public void Lines_are_read_on_at_once_up_to_2000_or_8_megabytes(int lines, int bytes, double seconds)
    {
        var pace = new ReadPace();
        var pause = TimeSpan.Zero;
        for (int line = 0; line < lines; line++) pause = pace.OnRead(bytes, TimeSpan.FromSeconds(1));
        Assert.Equal(seconds, pause.TotalSeconds, 3);
    }

    private static string Name(Cluster cluster) => $"The Kubernetes API server {cluster.Server.Address.ToString().TrimEnd('/')}";
}
