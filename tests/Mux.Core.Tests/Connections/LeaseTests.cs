using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>LEASE frame by frame: what a dialing side does with it, and when an accepting side sends it.</summary>
public sealed class LeaseTests
{
    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);
    private static readonly LeaseFrame s_one = new(1, 1_000, LeaseFrame.MostLevel, 0);
    private static readonly LeaseFrame s_busy = new(4_096, 1_000, LeaseFrame.MostLevel, 500);

    private readonly ScriptedPeer _server = ScriptedPeer.Open(accepting: false, new ConnectionOptions { Local = new PeerSettings { ReadsLeases = true } });
    private readonly SharedBudgets _shared = new(new HandlerLimit(BudgetLimits.Unbounded, _ => { }), new NoStalls(), new MemoryBudget(long.MaxValue, BudgetLimits.Unbounded), _ => { });

    [Fact]
    public void The_owner_is_told_what_a_lease_says()
    {
        Send(s_busy);

        Assert.Equal([s_busy], _server.Owner.Leases);
    }

    [Fact]
    public void Calls_wait_while_no_more_may_be_open()
    {
        var open = _server.Call(s_echo, [1]);
        Send(s_one);
        var waiting = _server.Call(s_echo, [2]);
        Assert.Equal([FrameKind.Define, FrameKind.Request], _server.ReadAll().Select(frame => frame.Kind));
        Assert.Equal((1, false), (_server.Sut.Initiator.WaitingCount, waiting.IsDone));

        _server.Respond(open.Id, [7]);

        Assert.Equal([FrameKind.Request], _server.ReadAll().Select(frame => frame.Kind));
        Assert.Equal([7], open.Response);
    }

    [Fact]
    public void A_peer_that_takes_none_is_about_to_stop_and_still_gets_the_calls_of_an_owner_that_knows_no_other()
    {
        Send(new LeaseFrame(0, 1_000, 0, 0));

        _server.Call(s_echo, [1]);

        Assert.Equal([FrameKind.Define, FrameKind.Request], _server.ReadAll().Select(frame => frame.Kind));
        Assert.Equal(0u, Assert.Single(_server.Owner.Leases).MaxOpenCalls);
    }

    [Fact]
    public void Waiting_calls_are_sent_when_the_next_lease_takes_them()
    {
        BeginHolding();
        for (byte body = 1; body <= 3; body++) _server.Call(s_echo, [body]);
        Assert.Empty(_server.ReadAll());

        Send(s_one with { MaxOpenCalls = 3 });

        Assert.Equal(2, _server.ReadAll().Count(frame => frame.Kind == FrameKind.Request));
        Assert.Equal(1, _server.Sut.Initiator.WaitingCount);
    }

    [Fact]
    public void Waiting_calls_are_sent_when_the_lease_is_over()
    {
        BeginHolding();
        _server.Call(s_echo, [1]);

        _server.Time.Advance(TimeSpan.FromMilliseconds(980));
        Assert.Empty(_server.ReadAll());
        _server.Time.Advance(TimeSpan.FromMilliseconds(40));

        Assert.Equal([FrameKind.Request], _server.ReadAll().Select(frame => frame.Kind));
    }

    [Fact]
    public void A_lease_without_a_lifetime_ends_the_one_before_it()
    {
        BeginHolding();
        _server.Call(s_echo, [1]);

        Send(new LeaseFrame(1, 0, 0, 0));

        Assert.Equal([FrameKind.Request], _server.ReadAll().Select(frame => frame.Kind));
    }

    [Fact]
    public void A_call_that_a_continuation_starts_keeps_to_the_lease()
    {
        _server.Call(s_echo, [0]);
        var first = _server.Call(s_echo, [1]);
        ProbeCall? next = null;
        first.OnDone = () => next = _server.Call(s_echo, [2]);
        Send(s_one);
        _server.ReadAll();

        _server.Respond(first.Id, [7]);

        Assert.False(next!.IsDone);
        Assert.Empty(_server.ReadAll());
        Assert.Equal(1, _server.Sut.Initiator.WaitingCount);
    }

    [Fact]
    public void A_call_that_waits_for_a_lease_expires_at_its_deadline()
    {
        BeginHolding();
        var call = _server.Call(s_echo, [1], TimeSpan.FromMilliseconds(50));

        _server.Time.Advance(TimeSpan.FromMilliseconds(80));

        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted), (call.Failure?.Status, call.Failure?.Execution));
    }

    [Fact]
    public void An_offer_of_nothing_is_sent_to_a_peer_that_connects_after_it_without_any_call()
    {
        _shared.Leases.Replace(s_busy with { MaxOpenCalls = 0 });

        Assert.Contains(FrameKind.Lease, OpenClient(readsLeases: true).ReadAll().Select(frame => frame.Kind));
    }

    [Fact]
    public void An_offer_goes_out_behind_the_next_bytes_and_once()
    {
        var client = OpenClient(readsLeases: true);
        _shared.Leases.Replace(s_busy);
        Assert.Empty(client.ReadAll());

        Ping(client);
        Ping(client);

        Assert.Equal([FrameKind.Ping, FrameKind.Lease, FrameKind.Ping], client.ReadAll().Select(frame => frame.Kind));
    }

    [Fact]
    public void Each_offer_is_sent_to_each_connection()
    {
        var clients = Enumerable.Range(0, 2).Select(_ => OpenClient(readsLeases: true)).ToList();
        foreach (var offer in new[] { s_busy, s_busy with { Level = 20 } })
        {
            _shared.Leases.Replace(offer);
            foreach (var client in clients)
            {
                Ping(client);
                var lease = client.ReadAll().Single(frame => frame.Kind == FrameKind.Lease);
                Assert.True(LeaseFrame.TryRead(lease.Payload, out var sent, out _));
                Assert.Equal(offer, sent);
            }
        }
    }

    [Fact]
    public void A_peer_that_did_not_ask_gets_no_lease()
    {
        var client = OpenClient(readsLeases: false);
        _shared.Leases.Replace(s_busy);

        Ping(client);
        client.Sut.SendLease();

        Assert.Equal([FrameKind.Ping], client.ReadAll().Select(frame => frame.Kind));
    }

    [Fact]
    public void An_offer_of_nothing_is_sent_at_once()
    {
        var client = OpenClient(readsLeases: true);
        _shared.Leases.Replace(s_busy with { MaxOpenCalls = 0 });

        client.Sut.SendLease();
        client.Sut.SendLease();

        Assert.Equal([FrameKind.Lease], client.ReadAll().Select(frame => frame.Kind));
    }

    [Fact]
    public void A_peer_that_reads_nothing_has_one_lease_waiting_for_it()
    {
        var client = OpenClient(readsLeases: true);
        client.StopReading();
        for (int offer = 0; offer < 10; offer++)
        {
            _shared.Leases.Replace(s_busy with { Utilisation = offer });
            client.Sut.SendLease();
        }

        client.Link.Capacity = long.MaxValue;
        client.Link.Handler.OnWritable();
        client.Sut.SendLease();

        var leases = client.ReadAll().Where(frame => frame.Kind == FrameKind.Lease).ToList();
        Assert.Equal(2, leases.Count);
        Assert.True(LeaseFrame.TryRead(leases[1].Payload, out var last, out _));
        Assert.Equal(9, last.Utilisation);
    }

    private static void Ping(ScriptedPeer client) => client.SendFrame(FrameKind.Ping, default, new byte[8]);

    private ScriptedPeer OpenClient(bool readsLeases) =>
        ScriptedPeer.Open(accepting: true, new ConnectionOptions { Shared = _shared }, new PeerSettings { ReadsLeases = readsLeases });

    /// <summary>A call is open, and no other may be.</summary>
    private void BeginHolding()
    {
        _server.Call(s_echo, [0]);
        Send(s_one);
        _server.ReadAll();
    }

    private void Send(LeaseFrame lease)
    {
        var payload = new byte[LeaseFrame.Length];
        lease.Write(payload);
        _server.SendFrame(FrameKind.Lease, default, payload);
    }

    private sealed class NoStalls : IStallWatch
    {
        public void OnStalled(long now)
        {
        }
    }
}
