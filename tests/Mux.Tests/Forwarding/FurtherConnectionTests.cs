using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Forwarding;

/// <summary>More streams than one connection has windows for: a further connection takes them.</summary>
public sealed class FurtherConnectionTests : GatewayTests
{
    private const int Window = 64 * 1024; // by default, of each direction

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = TestLimit)]
    public async Task Two_thousand_duplex_streams_of_one_client_pass_a_gateway_with_default_options()
    {
        const int Streams = 2_000;
        var (_, scene, _, gateway, sut) = Start(TransportKind.Tcp, behind: Connect, client: Connect);
        await TalkAsync(sut, Streams);
        Assert.Equal(2, scene.Channels[^1].GetEndpoints().Single().Connections);
        Assert.Equal(0, scene.Meters.Read().Where(static reading => reading.Instrument == "mux.server.refused_calls").Sum(static reading => reading.Value));
        Assert.InRange(gateway.GetStatistics().CallsStarted, Streams, Streams);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(16, 0)] // at the server
    [InlineData(0, 16)] // here
    public async Task A_channel_opens_a_further_connection_for_streams_that_find_no_windows(int atServer, int here)
    {
        const int Streams = 40;
        var (_, scene, service, _, _) = Start(TransportKind.Tcp, service: options => options.MaxStreamBytes = Limit(atServer, options.MaxStreamBytes));
        var channel = scene.CreateChannel(service, options =>
        {
            options.MaxConnections = 3;
            options.MaxStreamBytes = Limit(here, options.MaxStreamBytes);
        });
        var sut = channel.CreateProxy<IShop>();
        await TalkAsync(sut, Streams, async () => Assert.Equal([7], await sut.Look([7], Token)));
        Assert.Equal(3, channel.GetEndpoints().Single().Connections);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Streams_beyond_what_all_connections_have_windows_for_are_refused_in_words()
    {
        var (_, scene, service, _, _) = Start(TransportKind.Tcp, service: static options => options.MaxStreamBytes = 8 * Window);
        var sut = scene.CreateChannel(service, static options => options.MaxConnections = 2).CreateProxy<IShop>();
        var failures = await TalkAsync(sut, 30, mayFail: true);
        Assert.Equal(14, failures.Count);
        Assert.All(failures, static failure =>
        {
            Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
            Assert.Contains("MaxStreamBytes of the server", failure.Message, StringComparison.Ordinal);
        });
    }

    private static long Limit(int windows, long unchanged) => windows == 0 ? unchanged : windows * Window;

    private static void Connect(MuxChannelOptions options) => options.MaxConnections = 2; // as by default, on one processor too

    /// <summary>Opens streams at the same time, and ends them when each has got an item back.</summary>
    /// <param name="sut">The service.</param>
    /// <param name="streams">Number of streams.</param>
    /// <param name="beside">What is done while they are open.</param>
    /// <param name="mayFail">True if some fail.</param>
    /// <returns>Failures of those that have failed.</returns>
    private static async Task<List<MuxException>> TalkAsync(IShop sut, int streams, Func<Task>? beside = null, bool mayFail = false)
    {
        var decided = new Counter("streams that got an item, or failed");
        var end = new Signal("the end of all streams");
        List<MuxException> failures = [];
        var talks = Enumerable.Range(0, streams).Select(_ => TalkAsync()).ToArray();
        await decided.ReachAsync(streams);
        if (beside is not null) await beside().Within("calls beside the streams");
        end.Set();
        await Task.WhenAll(talks).Within("the ends of all streams");
        if (!mayFail) Assert.Empty(failures.Select(static failure => failure.Message).Distinct());
        return failures;

        async Task TalkAsync()
        {
            try
            {
                await foreach (var item in sut.Talk([], ItemsAsync(), Token))
                {
                    Assert.Equal([1], item);
                    decided.Add();
                }
            }
            catch (MuxException failure)
            {
                lock (failures) failures.Add(failure);
                decided.Add();
            }
        }

        async IAsyncEnumerable<byte[]> ItemsAsync()
        {
            yield return [1];
            await end.WaitAsync();
        }
    }
}
