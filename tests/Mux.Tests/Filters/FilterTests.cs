using Mux.Filters;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.Filters;

/// <summary>Filters of both sides around calls of every shape.</summary>
public sealed class FilterTests : EndToEndTests
{
    private static readonly MuxStatus?[] s_over = [MuxStatus.DeadlineExceeded, MuxStatus.Cancelled];

    private readonly Mixed _service = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_filter_sees_the_end_of_every_kind_of_call_on_both_sides(TransportKind kind)
    {
        var (server, client) = (new EndingFilter(), new EndingFilter());
        var sut = Start(Begin(kind), [server], [client]);
        foreach (var (index, shape) in Mixed.Shapes.Index())
        {
            await Mixed.CallAsync(sut, shape).Within(shape);
            long requests = shape is "Sum" or "Talk" ? Mixed.Items : 0;
            long replies = shape is "List" or "Talk" ? Mixed.Items : 0;
            Assert.Equal(new Ending($"t.Mixed/{shape}", MuxCallSide.Server, MuxStatus.Ok, replies, requests, null), await server.ReachAsync(index + 1));
            Assert.Equal(new Ending($"t.Mixed/{shape}", MuxCallSide.Client, MuxStatus.Ok, requests, replies, null), await client.ReachAsync(index + 1));
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_filter_sees_how_a_handler_failed(TransportKind kind)
    {
        var (server, client) = (new EndingFilter(), new EndingFilter());
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        var sut = Start(scene, [server], [client]);
        foreach (var (index, shape) in Mixed.Answered.Index())
        {
            var failed = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, shape, "fail"));
            Assert.Equal((MuxStatus.Aborted, MuxExecution.Executed), (failed.Status, failed.Execution));
            var thrown = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, shape, "throw"));
            Assert.Equal((MuxStatus.Unknown, MuxExecution.Executed), (thrown.Status, thrown.Execution));
            Assert.DoesNotContain("secret", thrown.Message, StringComparison.Ordinal);
            Assert.Equal(MuxStatus.Aborted, (await server.ReachAsync((2 * index) + 1)).Status);
            var last = await server.ReachAsync((2 * index) + 2);
            Assert.Equal(MuxStatus.Unknown, last.Status);
            Assert.IsType<FormatException>(last.Error);
            Assert.Equal([MuxStatus.Aborted, MuxStatus.Unknown], client.Endings.Skip(2 * index).Select(ending => ending.Status!.Value));
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_cancelled_call_ends_as_cancelled_for_the_filters_of_both_sides(TransportKind kind)
    {
        var (server, client) = (new EndingFilter(), new EndingFilter());
        var sut = Start(Begin(kind), [server], [client]);
        foreach (var (index, shape) in Mixed.Answered.Index())
        {
            using var source = new CancellationTokenSource();
            long started = _service.Started.Count;
            var call = Mixed.CallUntilAsync(sut, shape, "wait", source.Token);
            await _service.Started.ReachAsync(started + 1);
            await source.CancelAsync();
            var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within(shape));
            Assert.Equal(source.Token, error.CancellationToken);
            Assert.Equal(MuxStatus.Cancelled, (await server.ReachAsync(index + 1)).Status);
            Assert.Equal(MuxStatus.Cancelled, (await client.ReachAsync(index + 1)).Status);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_whose_deadline_passes_ends_so_for_the_filters_of_both_sides(TransportKind kind)
    {
        var (server, client) = (new EndingFilter(), new EndingFilter());
        TimeSpan? left = null;
        var looking = new FilterOf((call, next) =>
        {
            left = call.TimeLeft;
            return next.RunAsync(call);
        });
        var sut = Start(Begin(kind), [server, looking], [client]);
        foreach (var (index, shape) in Mixed.Answered.Index())
        {
            using var scope = new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(200) }.Apply();
            var error = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, shape, "wait").Within(shape));
            Assert.Equal(MuxStatus.DeadlineExceeded, error.Status);
            Assert.Equal(MuxStatus.DeadlineExceeded, (await client.ReachAsync(index + 1)).Status);
            Assert.True(left is null || (left >= TimeSpan.Zero && left <= TimeSpan.FromMilliseconds(200)));
        }

        // The client's cancellation may come first, and a call that waited too long for a thread reaches no filter.
        await Eventually.Holds(() => server.Endings.Count >= server.Begun, "the ends of the calls that reached the filters");
        Assert.All(server.Endings, static ending => Assert.Contains(ending.Status, s_over));
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_filters_of_the_server_are_outside_those_of_the_service_and_of_the_method()
    {
        var order = new List<string>();
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IMixed>(_service), options =>
        {
            options.Filters.Add<IMixed>(Step("method", order), nameof(IMixed.Ask));
            options.Filters.Add<IMixed>(Step("service 1", order));
            options.Filters.Add<IMixed>(Step("other method", order), nameof(IMixed.List));
            options.Filters.Add<IDesk>(Step("other service", order));
            options.Filters.Add(Step("server 1", order));
            options.Filters.Add(Step("server 2", order));
            options.Filters.Add<IMixed>(Step("service 2", order));
        });
        var sut = scene.CreateChannel(server, options =>
        {
            options.Filters.Add<IMixed>(Step("service of the client", order));
            options.Filters.Add(Step("client", order));
        }).CreateProxy<IMixed>();
        await Mixed.CallAsync(sut, "Ask").Within("the call");
        Assert.Equal(["client", "service of the client", "server 1", "server 2", "service 1", "service 2", "method"], order);
    }

    [Fact]
    public void A_filter_of_a_method_that_the_contract_does_not_have_is_rejected()
    {
        var error = Assert.Throws<ArgumentException>(() => new MuxServerOptions().Filters.Add<IMixed>(Step("x", []), "Aks"));
        Assert.Contains("no method 'Aks': expected Ask, Download, List, Sum, Talk, Tell.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Too_many_filters_are_rejected()
    {
        var filters = new MuxServerOptions().Filters;
        for (int i = 0; i < 128; i++) filters.Add(Step("x", []));
        var error = Assert.Throws<InvalidOperationException>(() => filters.Add(Step("x", [])));
        Assert.Contains("at most 128", error.Message, StringComparison.Ordinal);
    }

    private static FilterOf Step(string name, List<string> order) => new((call, next) =>
    {
        lock (order) order.Add(name);
        return next.RunAsync(call);
    });

    private IMixed Start(Scene scene, MuxFilter[] ofServer, MuxFilter[] ofClient) => FilterScene.Start<IMixed>(scene, _service, ofServer, ofClient);
}
