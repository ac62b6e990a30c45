using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Server;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Forwarding;

/// <summary>A request of a peer, frame by frame, and the call that a gateway makes of it.</summary>
public sealed class ForwardedCallTests : IDisposable
{
    private static readonly CallId s_first = new(1, 1), s_second = new(1, 2);

    private readonly MeterReadings _meters = new();
    private readonly ManualWork _work = new();
    private readonly ScriptedPeer _client;
    private readonly HoldingRoute _route;
    private readonly RouteSettings _settings;
    private ForwardedMethod _sut;
    private InboundExtras? _extras; // of the requests that come

    public ForwardedCallTests()
    {
        _settings = EngineSettings.Of(
            new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport(), MeterFactory = _meters }, NullLoggerFactory.Instance,
            MuxAddress.Parse("mux://memory:1")).Calls;
        _client = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = _work });
        _route = new HoldingRoute(_settings);
        _sut = Method();
        _client.Methods.Add("shop.Orders/Get");
        _client.Define(0, "shop.Orders/Get");
    }

    public void Dispose() => _meters.Dispose();

    [Theory]
    [InlineData(CancelReason.Unspecified)]
    [InlineData(CancelReason.Deadline)]
    [InlineData(CancelReason.Superseded)]
    public void A_cancel_passes_with_its_reason(object reason)
    {
        Forward(s_first);
        _client.SendFrame(FrameKind.Cancel, s_first, [(byte)(CancelReason)reason]);
        _work.RunAll();
        Assert.Equal([(CancelReason)reason], _route.Cancels);
        Assert.True(FailFrame.TryRead(_client.Read().Payload, out var fail, out _));
        Assert.Equal(((byte)MuxStatus.Cancelled, MuxExecution.MayHaveExecuted), (fail.Status, fail.Execution));
    }

    [Fact]
    public void A_cancel_that_crosses_with_the_reply_cancels_no_later_call()
    {
        Forward(s_first);
        Reply(0);
        _client.SendFrame(FrameKind.Cancel, s_first, [0]);
        Forward(s_second);
        Assert.Same(_route.Started[0].Call, _route.Started[1].Call); // the object is used again
        ((IInboundCancellation)_route.Started[1].Call).Cancel(_client.Sut, s_first, CancelReason.Unspecified);
        _work.RunAll();
        Assert.Empty(_route.Cancels);
    }

    [Fact]
    public void A_call_that_was_cancelled_is_not_used_again_even_if_its_reply_comes_first()
    {
        Forward(s_first);
        _client.SendFrame(FrameKind.Cancel, s_first, [0]);
        Reply(0); // the cancel is on its way to it
        Forward(s_second);
        Assert.NotSame(_route.Started[0].Call, _route.Started[1].Call);
    }

    [Fact]
    public void The_end_of_the_connection_cancels_its_calls()
    {
        Forward(s_first);
        _client.End();
        _work.RunAll();
        Assert.Equal([CancelReason.Unspecified], _route.Cancels);
    }

    [Fact]
    public void The_deadline_of_an_older_call_does_not_cancel_a_forwarded_one()
    {
        Forward(s_first);
        ((IInboundCancellation)_route.Started[0].Call).Expire(_client.Sut, s_first);
        _work.RunAll();
        Assert.Empty(_route.Cancels);
    }

    [Fact]
    public void A_body_goes_as_it_is_and_so_does_the_reply()
    {
        Forward(s_first, 1, 2, 3);
        Assert.Equal([1, 2, 3], _route.Started[0].Body);
        Reply(0, 4, 5);
        Assert.Equal([4, 5], _client.Read().Payload);
    }

    [Fact]
    public void A_reply_is_sent_before_listeners_are_told_who_may_lose_the_turn_and_the_bytes()
    {
        byte[] received = [4, 5];
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Name == "rpc.client.call.duration" && instrument.Meter.Scope == _meters) self.EnableMeasurementEvents(instrument);
            },
        };
        int told = 0;
        listener.SetMeasurementEventCallback<double>((_, _, _, _) =>
        {
            told++;
            received.AsSpan().Clear(); // as another connection does that receives into the same memory
        });
        listener.Start();
        Forward(s_first);
        _route.Started[0].Call.OnResponse(received, new CallTally());
        Assert.Equal([4, 5], _client.Read().Payload);
        Assert.True(told > 0, "no listener was told");
    }

    [Fact]
    public void A_retry_passes_as_one_and_is_not_sent_again_here()
    {
        _route.Policy = new CallPolicy { Attempts = 3 };
        _sut = Method();
        Forward(s_first);
        Assert.Equal((false, true), Last());
        Reply(0);
        _extras = InboundExtras.Of(RequestOptions.Retry, null, []);
        Forward(s_second);
        Assert.Equal((true, false), Last());

        (bool IsRetry, bool IsKept) Last() => ((_route.Started[^1].Call.Options & RequestOptions.Retry) != 0, _route.Started[^1].Call.IsKept);
    }

    private ForwardedMethod Method() => new(
        new MethodDescriptor("shop.Orders", "Get", MethodShape.Unary, takesToken: true), new ForwardingRoute("shop.*", "orders", _route, null),
        new HandlerEnvironment(MuxDispatchMode.Adaptive, NullLogger.Instance, _settings.Durations, DetailedErrors: false));

    /// <summary>Lets a request come, and forwards it in the place of the method that the peer has defined.</summary>
    private void Forward(CallId id, params byte[] body)
    {
        var probe = (ProbeMethod)_client.Methods.Resolve("shop.Orders/Get"u8, MethodShape.Unary);
        int before = probe.Pending.Count;
        _client.Request(id, 0, body);
        _sut.Invoke(_extras is null ? probe.Pending[before] : probe.Pending[before] with { Extras = _extras }, body);
    }

    private void Reply(int number, params byte[] body) => _route.Started[number].Call.OnResponse(body, new CallTally());
}
