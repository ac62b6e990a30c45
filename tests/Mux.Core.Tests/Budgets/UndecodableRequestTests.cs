using Mux.Contracts;
using Mux.Sessions.Incoming;
using Mux.Sessions.Setup;
using Mux.TestSupport.Connections;
using Mux.Wire;

namespace Mux.Core.Tests.Budgets;

/// <summary>Requests whose bodies cannot be decoded: each costs an exception, and what a client with one broken method sends looks like what an attacker does.</summary>
public sealed class UndecodableRequestTests
{
    private const int Budget = 200; // of a server that was told nothing
    private const int PerSecond = Budget / 10;

    private readonly PickyMethod _picky = new();

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

    /// <summary>Makes a call.</summary>
    private static RawFrame Ask(ScriptedPeer peer, uint generation, int ordinal, byte[] body)
    {
        var id = new CallId(1, generation);
        peer.Request(id, ordinal, body);
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

            call.Session.OnUndecodable(call.Ordinal);
            call.Fail(MuxStatus.InvalidArgument, MuxExecution.NotExecuted, "A zero.");
        }
    }
}
