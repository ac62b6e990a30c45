using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Budgets;

/// <summary>Honest peers of the simplest kind, as fast as they can and on a clock that stands still: none of them meets a budget of a server with default options.</summary>
public sealed class SimplePeerTests
{
    private const int Many = 100_000;

    private static readonly BudgetLimits s_edge = EffectiveLimits.Of(new MuxServerOptions()).Budgets;

    private readonly ScriptedPeer _peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Budgets = s_edge });

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(500)]
    public void A_client_that_returns_credit_for_each_item_is_not_ended(int length)
    {
        var method = _peer.Methods.Add("test/Items", MethodShape.ResponseStream);
        _peer.Define(0, "test/Items", MethodShape.ResponseStream);
        _peer.Request(new CallId(1, 1), 0, []);
        var responses = method.Pending[0].Stream!.Responses!;
        for (int i = 0; i < Many && _peer.Owner.End is null; i++)
        {
            Assert.True(ProbeStreamCall.Send(responses, new byte[length]));
            _peer.Credit(FrameKind.ResponseCredit, new CallId(1, 1), CreditFrame.CostOfItem(length));
        }

        AssertIsOpen();
    }

    [Fact]
    public void A_client_that_sends_small_messages_in_fragments_of_one_byte_is_not_ended()
    {
        _peer.Methods.Add("test/Echo").Handler = body => body;
        _peer.Define(0, "test/Echo");
        for (uint generation = 1; generation <= 4_000 && _peer.Owner.End is null; generation++)
        {
            var id = new CallId(1, generation);
            _peer.Begin(FrameKind.Request, id, 16, [0, 0, 0, 0]);
            for (int i = 0; i < 16; i++) _peer.Continue(FrameKind.Request, id, [1], isLast: i == 15);
        }

        AssertIsOpen();
    }

    [Fact]
    public void A_client_that_cancels_every_call_at_once_is_not_ended()
    {
        var method = _peer.Methods.Add("test/Slow", takesToken: true);
        _peer.Define(0, "test/Slow");
        for (uint call = 0; call < Many / 2 && _peer.Owner.End is null; call++)
        {
            var id = new CallId(1, (call + 1) & CallId.GenerationMask);
            _peer.Request(id, 0, []);
            _peer.SendFrame(FrameKind.Cancel, id, [0]);
            method.Pending[0].Fail(MuxStatus.Cancelled, MuxExecution.Executed, "Cancelled.");
            method.Pending.Clear();
        }

        AssertIsOpen();
    }

    [Fact]
    public void A_client_that_asks_once_a_second_whether_the_server_lives_is_not_ended()
    {
        for (int i = 0; i < 1_000; i++)
        {
            _peer.SendFrame(FrameKind.Ping, default, new byte[8]);
            _peer.Time.Advance(TimeSpan.FromSeconds(1));
        }

        AssertIsOpen();
    }

    [Fact]
    public void A_client_that_sends_an_empty_item_with_each_one_is_not_ended()
    {
        var method = _peer.Methods.Add("test/Upload", MethodShape.RequestStream);
        _peer.Define(0, "test/Upload", MethodShape.RequestStream);
        _peer.RequestStream(new CallId(1, 1), 0);
        for (int i = 0; i < Many && _peer.Owner.End is null; i++)
        {
            _peer.SendFrame(FrameKind.RequestItem, new CallId(1, 1), [1]);
            _peer.SendFrame(FrameKind.RequestItem, new CallId(1, 1), []);
            method.Items[0].Take();
        }

        AssertIsOpen();
    }

    private void AssertIsOpen()
    {
        Assert.Null(_peer.Owner.End);
        _peer.End();
    }
}
