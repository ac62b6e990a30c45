using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Server;
using Mux.TestSupport.Connections;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Forwarding;

/// <summary>A request with a stream of replies, and the call that a gateway makes of it.</summary>
public sealed class ForwardedStreamTests
{
    private static readonly CallId s_id = new(1, 1);

    private readonly ManualWork _work = new();
    private readonly ScriptedPeer _client;
    private readonly HoldingRoute _route;

    public ForwardedStreamTests()
    {
        const string Name = "shop.Orders/Watch";
        var settings = EngineSettings.Of(
            new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport() }, NullLoggerFactory.Instance, MuxAddress.Parse("mux://memory:1")).Calls;
        _client = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = _work });
        _route = new HoldingRoute(settings);
        var sut = new ForwardedMethod(
            new MethodDescriptor("shop.Orders", "Watch", MethodShape.ResponseStream, takesToken: true), new ForwardingRoute("shop.*", "orders", _route, null),
            new HandlerEnvironment(MuxDispatchMode.Adaptive, NullLogger.Instance, settings.Durations, DetailedErrors: false));
        var method = _client.Methods.Add(Name, MethodShape.ResponseStream);
        _client.Define(0, Name, MethodShape.ResponseStream);
        _client.Request(s_id, 0, []);
        sut.Invoke(method.Pending[0], []);
    }

    [Theory]
    [InlineData(CancelReason.Unspecified)]
    [InlineData(CancelReason.Deadline)]
    [InlineData(CancelReason.Superseded)]
    public void A_cancel_passes_with_its_reason(object reason)
    {
        _client.SendFrame(FrameKind.Cancel, s_id, [(byte)(CancelReason)reason]);
        _work.RunAll();
        Assert.Equal([(CancelReason)reason], _route.Cancels);
    }

    [Fact]
    public void A_deadline_that_has_passed_here_is_the_reason_for_the_cancel_there()
    {
        var sut = (IInboundCancellation)_route.Started[0].Call;
        sut.Expire(_client.Sut, new CallId(1, 2)); // of another call
        _work.RunAll();
        Assert.Empty(_route.Cancels);
        sut.Expire(_client.Sut, s_id);
        _work.RunAll();
        Assert.Equal([CancelReason.Deadline], _route.Cancels);
    }

    [Fact]
    public void The_end_of_the_connection_cancels_the_call()
    {
        _client.End();
        _work.RunAll();
        Assert.Equal([CancelReason.Unspecified], _route.Cancels);
    }
}
