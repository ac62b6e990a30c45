using System.Threading.Channels;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Serialization;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Serializers;

namespace Mux.Core.Tests.Budgets;

/// <summary>Requests whose bodies cannot be decoded: each costs an exception, and what a client with one broken method sends looks like what an attacker does.</summary>
public sealed class UndecodableRequestTests
{
    private const int Budget = 200; // of a server that was told nothing
    private const int PerSecond = Budget / 10;

    private readonly PickyMethod _picky = new();
    private readonly PickyStream _stream = new();

    [Fact]
    public void Any_number_of_them_ends_no_connection_and_few_are_decoded()
    {
        var peer = Open();
        uint generation = 0;
        for (int second = 0; second < 10; second++)
        {
            peer.Time.Advance(TimeSpan.FromSeconds(1));
            for (int i = 0; i < 1_000; i++) Ask(peer, ++generation, 0, [0]);
        }

        Assert.InRange(_picky.Decoded, Budget, Budget + 10 * (PerSecond + 2) + (int)generation / 64); // one for each 64 is earned
        Assert.Equal(MuxStatus.InvalidArgument, StatusOf(Ask(peer, ++generation, 1, [0]))); // nothing is known of it
        Assert.Equal(MuxStatus.ResourceExhausted, StatusOf(Ask(peer, ++generation, 1, [0]))); // the budget is the connection's, not a method's
        Assert.Null(peer.Owner.End);
        peer.End();
    }

    [Fact]
    public void Methods_whose_requests_can_be_decoded_go_on_meanwhile_and_the_others_when_theirs_can_be_again()
    {
        var peer = Open();
        uint generation = 0;
        for (int i = 0; i < 1_000; i++) Ask(peer, ++generation, 0, [0]);
        Assert.Equal(MuxStatus.ResourceExhausted, StatusOf(Ask(peer, ++generation, 0, [1])));
        Assert.Equal(FrameKind.Response, Ask(peer, ++generation, 2, [1]).Kind);

        peer.Time.Advance(TimeSpan.FromSeconds(2));

        for (int i = 0; i < 10; i++) Assert.Equal(FrameKind.Response, Ask(peer, ++generation, 0, [1]).Kind);
        Assert.Equal(MuxStatus.InvalidArgument, StatusOf(Ask(peer, ++generation, 0, [0])));
        peer.End();
    }

    [Fact]
    public void One_of_a_hundred_is_refused_for_itself_alone_however_many_there_are()
    {
        var peer = Open();
        for (uint generation = 1; generation <= 50_000; generation++)
        {
            var answer = Ask(peer, generation, 0, [(byte)(generation % 100)]);
            if (generation % 100 == 0) Assert.Equal(MuxStatus.InvalidArgument, StatusOf(answer));
            else Assert.Equal(FrameKind.Response, answer.Kind);
        }

        peer.End();
    }

    [Fact]
    public void A_gateway_may_forward_those_of_fifty_clients_before_the_methods_are_refused()
    {
        const int Clients = 50;
        var peer = Open();
        uint generation = 0;
        for (int i = 0; i < 2 * Clients * Budget; i++) Ask(peer, ++generation, 0, [0], isForwarded: true);
        Assert.InRange(_picky.Decoded, Clients * Budget, (Clients * Budget) + (int)generation / 64 + 2);
        Assert.Equal(MuxStatus.ResourceExhausted, StatusOf(Ask(peer, ++generation, 0, [1], isForwarded: true)));
        Assert.Null(peer.Owner.End);
        peer.End();
    }

    [Fact]
    public void Items_that_a_gateway_has_forwarded_end_only_their_calls()
    {
        var peer = Open();
        for (uint generation = 1; generation <= 2_000; generation++)
        {
            var id = new CallId(1, generation);
            peer.SendFrame(FrameKind.Request, id, ForwardedRequest.Head(3, RequestOptions.Stream));
            peer.SendFrame(FrameKind.RequestItem, id, [0]);
            _stream.Last!.Value.Fail(MuxStatus.InvalidArgument, MuxExecution.Executed, "A zero.");
        }

        Assert.Equal(2_000, _stream.Started);
        Assert.Null(peer.Owner.End);
        peer.End();
    }

    [Fact]
    public void Items_that_cannot_be_decoded_use_up_the_same_budget_and_end_only_their_calls()
    {
        const int calls = 6_000;
        var peer = Open();
        Assert.Equal(FrameKind.Response, Ask(peer, 1, 2, [1]).Kind); // slots are used in order
        var good = new CallId(2, 1);
        peer.RequestStream(good, 3);
        var items = Assert.IsAssignableFrom<ChannelReader<int>>(_stream.Last!.Value.Stream!.Items);
        for (uint generation = 2; generation <= calls; generation++)
        {
            int started = _stream.Started;
            peer.RequestStream(new CallId(1, generation), 3);
            if (_stream.Started == started) continue;
            peer.SendFrame(FrameKind.RequestItem, new CallId(1, generation), [0]);
            _stream.Last!.Value.Fail(MuxStatus.InvalidArgument, MuxExecution.Executed, "A zero.");
        }

        Assert.InRange(_stream.Started, Budget, Budget + calls / 64 + 2); // one for each 64 is earned
        Assert.Equal(MuxStatus.ResourceExhausted, StatusOf(peer.ReadAll()[^1]));
        Assert.Equal(MuxStatus.InvalidArgument, StatusOf(Ask(peer, calls + 1, 0, [0]))); // nothing is known of it
        Assert.Equal(MuxStatus.ResourceExhausted, StatusOf(Ask(peer, calls + 2, 0, [0])));
        Assert.Equal(FrameKind.Response, Ask(peer, calls + 3, 2, [1]).Kind);
        peer.SendFrame(FrameKind.RequestItem, good, [7]);
        Assert.Equal((true, 7), (items.TryRead(out int item), item));
        Assert.Null(peer.Owner.End);
        peer.End();
    }

    /// <summary>Makes a call.</summary>
    private static RawFrame Ask(ScriptedPeer peer, uint generation, int ordinal, byte[] body, bool isForwarded = false)
    {
        var id = new CallId(1, generation);
        if (isForwarded) peer.SendFrame(FrameKind.Request, id, [.. ForwardedRequest.Head(ordinal), .. body]);
        else peer.Request(id, ordinal, body);
        var answer = peer.Read();
        Assert.Equal(id, answer.Id);
        return answer;
    }

    private static MuxStatus StatusOf(RawFrame answer)
    {
        Assert.True(FailFrame.TryRead(answer.Payload, out var fail, out _));
        return (MuxStatus)fail.Status;
    }

    private ScriptedPeer Open()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Budgets = EffectiveLimits.Of(new MuxServerOptions()).Budgets });
        peer.Methods.Others.Add(_picky);
        peer.Methods.Add("test/Echo").Handler = static body => body;
        peer.Define(0, "test/Picky");
        peer.Define(1, "test/AlsoPicky");
        peer.Define(2, "test/Echo");
        peer.Methods.Others.Add(_stream);
        peer.Define(3, "test/PickyStream", MethodShape.RequestStream);
        peer.ReadAll();
        return peer;
    }

    /// <summary>Cannot decode a zero.</summary>
    private sealed class PickyMethod : InboundMethod
    {
        public override MethodDescriptor Descriptor { get; } = new("test", "Picky", MethodShape.Unary, takesToken: false);

        public int Decoded { get; private set; }

        public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
        {
            Decoded++;
            if (body[0] != 0)
            {
                call.Reply(body);
                return;
            }

            call.Session.OnUndecodable(call.Ordinal, call.IsForwarded);
            call.Fail(MuxStatus.InvalidArgument, MuxExecution.NotExecuted, "A zero.");
        }
    }

    /// <summary>Takes calls with items, and cannot decode a zero.</summary>
    private sealed class PickyStream : InboundMethod
    {
        private static readonly ItemsOf<int> s_items = new(
            new MethodDescriptor("test", "PickyStream", MethodShape.RequestStream, takesToken: false),
            new ScriptedCodec<int>(static body => body[0] == 0 ? throw new InvalidMessageException("A zero.") : body[0]));

        public override MethodDescriptor Descriptor => s_items.Method;

        public override MethodShape Streams => MethodShape.RequestStream;

        public int Started { get; private set; }

        public InboundCall? Last { get; private set; }

        public override IInboundItems OpenItems(in InboundCall call) =>
            new RequestReader<int>(failures: null!, MuxDispatchMode.Inline, s_items, call).Items;

        public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
        {
            Started++;
            Last = call;
        }
    }
}
