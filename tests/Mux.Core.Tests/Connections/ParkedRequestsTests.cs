using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

public sealed class ParkedRequestsTests
{
    [Fact]
    public void Requests_that_are_parked_when_the_connection_ends_count_as_answered()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { UnsentLimit = 100 });
        var method = peer.Methods.Add("test/Fat");
        method.Handler = _ => new byte[200];
        peer.Define(0, "test/Fat");
        peer.StopReading();
        for (int slot = 1; slot <= 10; slot++) peer.Request(new CallId(slot, 1), 0, [1, 2, 3]);
        Assert.Single(method.Bodies);

        peer.End();

        Assert.Equal(10, peer.Sut.RequestCounts.Started);
        Assert.Equal(0, peer.Sut.RequestCounts.OpenCount);
    }

    [Fact]
    public void A_request_that_is_parked_after_another_thread_ended_the_connection_counts_as_answered()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions());
        var method = peer.Methods.Add("test/Late");
        peer.Define(0, "test/Late");
        peer.Request(new CallId(1, 1), 0, [1, 2, 3]);
        peer.End();

        peer.Sut.Acceptor.Parking.Park(method.Pending[0], [1, 2, 3]); // the turn has looked at the state just before

        Assert.Equal((0, 0), (peer.Sut.ParkedRequests, peer.Sut.RequestCounts.OpenCount));
    }

    [Fact]
    public void Small_requests_wait_above_the_limit_within_what_running_ones_leave_and_large_ones_are_refused_with_a_pause()
    {
        const int Small = 10_000, Large = 20_000, Fit = 4;
        var peer = OpenDeaf(new ConnectionOptions { UnsentLimit = 100, ParkedLimit = 1_000, RunningLimit = Fit * (Small + 200) });

        for (int slot = 2; slot < 2 + Fit; slot++) peer.Request(new CallId(slot, 1), 0, new byte[Small]);
        Assert.Equal(Fit, peer.Sut.ParkedRequests);
        peer.Begin(FrameKind.Request, new CallId(6, 1), Large, [0, 0, 0, 0]);
        peer.Continue(FrameKind.Request, new CallId(6, 1), new byte[Large], isLast: true);
        peer.Request(new CallId(7, 1), 0, new byte[Small]);
        Assert.Null(peer.Owner.End);

        Assert.Equal(Fit, peer.Sut.ParkedRequests);
        peer.Link.Grow(1 << 20);
        var refusals = peer.ReadAll().Where(static frame => frame.Kind == FrameKind.Fail).ToArray();
        Assert.Equal([6, 7], refusals.Select(static frame => frame.Id.Slot));
        Assert.All(refusals, static frame =>
        {
            Assert.True(FailFrame.TryRead(frame.Payload, out var fail, out _));
            Assert.True(frame.Payload.AsSpan().IndexOf("mux-pause"u8) > 0);
            Assert.Contains("which MaxParkedBytes (1000) limits: they wait until replies are sent, of which ", fail.Text, StringComparison.Ordinal);
            Assert.Contains("MaxUnsentBytes is 100, and 16777216 for large replies.", fail.Text, StringComparison.Ordinal);
        });
    }

    [Fact]
    public void Small_requests_wait_above_the_limit_only_while_the_server_holds_less_than_half_of_its_memory()
    {
        const int Small = 10_000;
        var memory = new MemoryBudget(20 * Small, BudgetLimits.Unbounded);
        var watch = new UnsentWatch(new ConnectionLedger(), new Clock(TimeProvider.System), BudgetLimits.Unbounded);
        var shared = new SharedBudgets(new HandlerLimit(BudgetLimits.Unbounded, static _ => { }), watch, memory, static _ => { });
        var peer = OpenDeaf(new ConnectionOptions { Shared = shared, UnsentLimit = 100, ParkedLimit = 1_000 });

        for (int slot = 2; slot < 40; slot++) peer.Request(new CallId(slot, 1), 0, new byte[Small]);

        Assert.InRange(peer.Sut.ParkedRequests, 2, 9);
        Assert.InRange(memory.Used, 2 * Small, 10 * Small);
        peer.End();
        Assert.Equal(0, memory.Used);
    }

    [Fact]
    public void A_stream_gets_no_window_after_another_thread_ended_the_connection()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions());
        peer.End();

        Assert.Equal("The connection ended.", peer.Sut.ReserveWindow(65_536, "server"));
        Assert.Equal(0, peer.Sut.StreamBudget.Used);
    }

    [Fact]
    public void A_peer_that_reads_slowly_and_waits_for_its_answers_may_be_refused_for_ever()
    {
        var options = new ConnectionOptions { UnsentLimit = 100, ParkedLimit = 0, Local = new PeerSettings { MaxCalls = 4 } };
        var peer = ScriptedPeer.Open(accepting: true, options);
        peer.Methods.Add("test/Fat").Handler = _ => new byte[200];
        peer.Define(0, "test/Fat");
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []); // answered; the answer fills the queue
        for (int slot = 2; slot <= 4; slot++) peer.Request(new CallId(slot, 1), 0, []);

        for (int i = 0; i < 100; i++)
        {
            RawFrame? answer;
            while ((answer = peer.TryRead()) is null) peer.Link.Grow(peer.Link.Capacity + 1);
            peer.Request(new CallId(answer.Id.Slot, answer.Id.Generation + 1), 0, []);
        }

        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void The_refused_request_that_ends_the_connection_counts_as_answered()
    {
        var options = new ConnectionOptions { UnsentLimit = 1, ParkedLimit = 0, Local = new PeerSettings { MaxCalls = 1 } };
        var peer = ScriptedPeer.Open(accepting: true, options);
        peer.Methods.Add("test/Fat").Handler = _ => new byte[200];
        peer.Define(0, "test/Fat");
        peer.StopReading();

        for (uint generation = 1; peer.Owner.End is null; generation++) peer.Request(new CallId(1, generation), 0, []);

        Assert.Equal(CloseReason.ExcessiveLoad, peer.Owner.End.Reason);
        Assert.Equal(0, peer.Sut.RequestCounts.OpenCount);
    }

    /// <summary>Gets a peer that has not read the reply to its first request.</summary>
    private static ScriptedPeer OpenDeaf(ConnectionOptions options)
    {
        var peer = ScriptedPeer.Open(accepting: true, options);
        peer.Methods.Add("test/Fat").Handler = static _ => new byte[200];
        peer.Define(0, "test/Fat");
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        return peer;
    }
}
