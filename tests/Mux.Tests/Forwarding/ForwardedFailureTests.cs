using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Tests.Routing;

namespace Mux.Tests.Forwarding;

/// <summary>What fails behind a gateway fails before it in the same way.</summary>
public sealed class ForwardedFailureTests : GatewayTests
{
    [Theory(Timeout = TestLimit)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_failure_passes_with_its_text_detail_hint_and_metadata(bool isStream)
    {
        var (shop, _, _, _, proxy) = Start();
        shop.OnAsk = (_, options, _) =>
        {
            options!.ResponseMetadata!.Add("why", "because");
            byte[]? detail = isStream ? null : [1, 2, 3];
            throw new MuxException(new MuxFailure(MuxStatus.FailedPrecondition, "Sold out.", detail) { RetryAfter = TimeSpan.FromMilliseconds(1500) });
        };
        shop.OnList = (question, options, token) => Fail(shop.OnAsk(question, options, token));
        MuxMetadata metadata = [];
        var options = new MuxCallOptions { ResponseMetadata = metadata };
        Task call = isStream ? proxy.List([1], options, TestContext.Current.CancellationToken).CountAsync(TestContext.Current.CancellationToken).AsTask() : proxy.AskNow([1], options).AsTask();
        var error = await call.FailsAsync(MuxStatus.FailedPrecondition, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.Equal("Sold out.", error.Message);
        Assert.Equal(TimeSpan.FromMilliseconds(1500), error.RetryAfter);
        if (!isStream) Assert.Equal([1, 2, 3], Assert.IsType<byte[]>(error.Detail));
        Assert.Equal("because", metadata["why"]);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_service_that_cannot_be_reached_was_not_called_and_the_text_names_the_client()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.Add(CloseReason.ConnectFailed);
        var channel = scene.CreateChannel(scene.NobodysAddress(), options => options.Name = "orders");
        var error = await scene.CreateChannel(StartGateway(scene, channel)).CreateProxy<IShop>().AskNow([1]).FailsAsync(
            MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains("client 'orders' has no connection", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_refusal_of_the_service_passes_as_that_of_the_service()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk())); // another service
        var gateway = StartGateway(scene, scene.CreateChannel(server, options => options.Name = "orders"));
        var error = await scene.CreateChannel(gateway).CreateProxy<IShop>().AskNow([1]).FailsAsync(
            MuxStatus.Unimplemented, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.DoesNotContain("client 'orders'", error.Message, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_connection_that_is_lost_behind_the_gateway_may_have_executed_its_calls(bool isDetailed)
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost]);
        using var raw = new RawServer(scene, request => request.Lose());
        var gateway = StartGateway(scene, scene.CreateChannel(raw.Address), options => options.DetailedErrors = isDetailed);
        var error = await scene.CreateChannel(gateway).CreateProxy<IShop>().AskNow([1]).FailsAsync(
            MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Handler);
        Assert.Contains(isDetailed ? raw.Address.ToString() : "has lost its connection", error.Message, StringComparison.Ordinal);
        Assert.Equal(isDetailed, error.Message.Contains(raw.Address.ToString(), StringComparison.Ordinal));
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_service_gets_what_is_left_of_the_deadline()
    {
        var time = new ManualTime();
        var (shop, _, _, _, proxy) = Start(time: time);
        TimeSpan? seen = null;
        shop.OnAsk = (question, options, _) =>
        {
            seen = options!.Timeout;
            return new(question);
        };
        await proxy.AskNow([1], new MuxCallOptions { Timeout = TimeSpan.FromSeconds(20) });
        Assert.InRange(seen!.Value.TotalSeconds, 19.9, 20);
        await proxy.AskNow([1]);
        Assert.Null(seen);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_deadline_that_passes_ends_the_handler_behind_the_gateway(bool isStream)
    {
        var time = new ManualTime();
        var (shop, _, _, _, proxy) = Start(time: time);
        var ended = new Signal("the end of the handler");
        shop.OnAsk = async (question, _, token) =>
        {
            await WaitForEndAsync(ended, token);
            return question;
        };
        shop.OnList = (question, options, token) => Fail(shop.OnAsk(question, options, token));
        var options = new MuxCallOptions { Timeout = TimeSpan.FromSeconds(20) };
        Task call = isStream ? proxy.List([1], options, TestContext.Current.CancellationToken).CountAsync(TestContext.Current.CancellationToken).AsTask() : proxy.AskNow([1], options).AsTask();
        await shop.Started.ReachAsync(1);
        time.Advance(TimeSpan.FromSeconds(21));
        Assert.Equal(MuxStatus.DeadlineExceeded, (await Assert.ThrowsAsync<MuxException>(() => call)).Status);
        await ended.WaitAsync();
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_cancel_passes(bool isStream)
    {
        var (shop, _, _, _, proxy) = Start();
        var ended = new Signal("the end of the handler");
        shop.OnAsk = async (question, _, token) =>
        {
            await WaitForEndAsync(ended, token);
            return question;
        };
        shop.OnList = (question, options, token) => Fail(shop.OnAsk(question, options, token));
        using var cancellation = new CancellationTokenSource();
        Task call = isStream ? proxy.List([1], null, cancellation.Token).CountAsync(TestContext.Current.CancellationToken).AsTask()
            : proxy.Ask([1], null, cancellation.Token).AsTask();
        await shop.Started.ReachAsync(1);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        await ended.WaitAsync();
        shop.OnAsk = static (question, _, _) => new(question);
        for (int i = 0; i < 100; i++) Assert.Equal([9], await proxy.AskNow([9])); // the object of the cancelled call serves no other
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_that_is_lost_ends_its_calls_behind_the_gateway()
    {
        var (shop, scene, _, _, proxy) = Start();
        scene.ExpectedEnds.UnionWith([CloseReason.Disposed, CloseReason.ConnectionLost]);
        var ended = new Signal("the end of the handler");
        shop.OnAsk = async (question, _, token) =>
        {
            await WaitForEndAsync(ended, token);
            return question;
        };
        var call = proxy.AskNow([1]).AsTask();
        await shop.Started.ReachAsync(1);
        scene.Channels[1].Dispose();
        await Assert.ThrowsAsync<MuxException>(() => call);
        await ended.WaitAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_gateway_that_stops_finishes_its_calls()
    {
        var (shop, _, _, gateway, proxy) = Start();
        var answer = new Signal("the answer");
        shop.OnAsk = async (question, _, _) =>
        {
            await answer.WaitAsync();
            return question;
        };
        var call = proxy.AskNow([5]).AsTask();
        await shop.Started.ReachAsync(1);
        var stop = gateway.StopAsync(TestContext.Current.CancellationToken);
        answer.Set();
        Assert.Equal([5], await call.Within("the reply"));
        await stop.Within("the stop");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_loop_of_gateways_is_refused_with_a_text_that_names_it()
    {
        var scene = Begin(TransportKind.Epoll);
        var address = scene.FreeAddress();
        var later = new ScriptedSource();
        var channel = scene.CreateChannel(address, options => options.Endpoints = later);
        var gateway = StartGateway(scene, channel);
        later.Report(gateway);
        var error = await scene.CreateChannel(gateway).CreateProxy<IShop>().AskNow([1]).FailsAsync(
            MuxStatus.FailedPrecondition, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains("form a loop", error.Message, StringComparison.Ordinal);
        Assert.Equal(GatewayMarks.MaxHops + 1, gateway.GetStatistics().CallsStarted);
    }

    private static async Task WaitForEndAsync(Signal ended, CancellationToken token)
    {
        var waiting = new TaskCompletionSource();
        await using var registration = token.UnsafeRegister(_ => waiting.TrySetCanceled(token), null);
        try
        {
            await waiting.Task;
        }
        finally
        {
            ended.Set();
        }
    }

    private static async IAsyncEnumerable<byte[]> Fail(ValueTask<byte[]> failing)
    {
        yield return await failing;
    }
}
