using Mux.Calls;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Forwarding;

/// <summary>Calls that a client of a gateway sends again, or twice.</summary>
public sealed class ForwardedResilienceTests : GatewayTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_a_client_sends_again_is_marked_at_the_server()
    {
        var scene = Begin(TransportKind.InMemory);
        using var raw = new RawServer(scene, static request =>
        {
            if (request.Number < 3) request.Fail(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted);
            else request.Respond(7);
        });
        var channel = scene.CreateChannel(StartGateway(scene, scene.CreateChannel(raw.Address)), static options => options.Resilience.Attempts = 3);
        Assert.Equal([7], await channel.CreateProxy<IShop>().Look([1], Token));
        Assert.Equal([false, true, true], raw.Requests.Select(static request => request.IsRetry));
        Assert.All(raw.Requests, static request => Assert.Equal([1], request.Body));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Attempts_of_client_and_gateway_add_up_and_do_not_multiply()
    {
        var scene = Begin(TransportKind.InMemory);
        using var raw = new RawServer(scene, static request => request.Fail(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted));
        var gateway = StartGateway(scene, scene.CreateChannel(raw.Address, static options => options.Resilience.Attempts = 3));
        var channel = scene.CreateChannel(gateway, static options => options.Resilience.Attempts = 3);
        var error = await channel.CreateProxy<IShop>().Look([1], Token).FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Handler);
        Assert.Equal(3, error.Attempts.Count);
        Assert.Equal([false, true, true, true, true], raw.Requests.Select(static request => request.IsRetry)); // not 3 x 3
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_second_copy_of_a_hedged_call_passes_and_the_first_is_cancelled_as_superseded()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        bool answers = true;
        using var raw = new RawServer(scene, request =>
        {
            if (answers) request.Respond(7);
        });
        var channel = scene.CreateChannel(StartGateway(scene, scene.CreateChannel(raw.Address)), static options => options.Resilience.Hedge = MuxHedge.P95);
        for (int i = 0; i < HedgeDelay.LeastSamples; i++) await channel.CreateProxy<IShop>().Look([1], Token);
        answers = false;
        var call = channel.CreateProxy<IShop>().Look([9], Token).AsTask();
        await raw.Arrived.ReachAsync(HedgeDelay.LeastSamples + 1);
        time.Advance(TimeSpan.FromMilliseconds(1));
        await raw.Arrived.ReachAsync(HedgeDelay.LeastSamples + 2);
        RawRequest first = raw.Requests[^2], second = raw.Requests[^1];
        second.Respond(2);
        Assert.Equal([2], await call.Within("the reply"));
        await raw.Cancelled.ReachAsync(1);
        Assert.Equal([CancelReason.Superseded], raw.Cancels);
        first.Fail(MuxStatus.Cancelled, MuxExecution.Executed); // frees the slot
        Assert.Equal((false, true), (first.IsRetry, second.IsRetry));
    }
}
