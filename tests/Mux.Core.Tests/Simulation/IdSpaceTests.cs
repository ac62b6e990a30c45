using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Time;

namespace Mux.Core.Tests.Simulation;

/// <summary>Ids are used again and again, and no reply ever reaches another call. The seed lost callers when its ids wrapped.</summary>
public sealed class IdSpaceTests
{
    private const int Slots = 1_024;
    private const int SlowCalls = 24;
    private const long Calls = 5_000_000;

    /// <summary>Each call is cancelled with this chance, so that late replies cross its slot's next call.</summary>
    private const int OneInCancelled = 500;

    [Fact]
    public void Five_million_calls_on_1024_slots_with_slow_ones_held_all_get_their_own_reply()
    {
        var clock = new Clock(new ManualTime());
        var (near, far) = DirectLink.CreatePair();
        var methods = new EchoMethods();
        var caller = new Connection(near, new ConnectionOptions(), new RecordingOwner(), NoMethods.Instance, clock, accepting: false);
        var server = new Connection(far, new ConnectionOptions { Local = new PeerSettings { MaxCalls = Slots } }, new RecordingOwner(), methods, clock, accepting: true);
        caller.Start();
        server.Start();
        near.Connect();
        far.Connect();

        var slow = Enumerable.Range(0, SlowCalls).Select(i => new LoopingCall(caller, EchoMethods.Slow, nonce: -1 - i)).ToList();
        slow.ForEach(call => call.StartNext(0));
        var loop = new CallLoop(Calls, OneInCancelled);
        for (int i = 0; i < Slots; i++) loop.Begin(new LoopingCall(caller, EchoMethods.Fast, nonce: i)); // some more than there are slots left: they wait
        while (loop.Done < Calls)
        {
            far.Deliver();
            near.Deliver();
        }

        Assert.Equal(0, loop.Mismatches);
        Assert.True(caller.Received.LateReplies > 0, "No reply came late.");
        Assert.InRange(loop.Wraps, (Slots - SlowCalls) * 9 / 10, int.MaxValue); // generations went round in all slots but those that a cancelled call had just then
        Assert.All(slow, call => Assert.Equal(0, call.Completed));
        methods.AnswerSlow();
        far.Deliver();
        near.Deliver();
        Assert.All(slow, call => Assert.Equal((1, 0), (call.Completed, call.Mismatches)));
        Assert.Equal(0, caller.Initiator.OpenCount);
    }
}
