using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.BadInput;

/// <summary>Frames that are cheap to send in great numbers: they cost the receiver time, and no memory beyond its limits.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class FloodTests
{
    private const int Flood = 200_000;
    private const long Allowance = 256 * 1024;

    private static readonly MethodDescriptor s_own = new("test", "Own", MethodShape.Unary, takesToken: false);
    private readonly long _buffersBefore = BufferPool.Outstanding;

    [Fact]
    public void A_flood_of_PINGs_queues_one_answer()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.StopReading();

        AssertBounded(() => Repeat(peer, Raw.Frame(FrameKind.Ping, default, new byte[8])));

        Assert.Equal(16, peer.Sut.Outbound.Unsent);
        CheckLife(peer);
    }

    [Fact]
    public void A_flood_of_CANCELs_of_an_open_and_of_an_answered_call_is_discarded()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = new ManualWork() });
        var method = peer.Methods.Add("test/Slow", takesToken: true);
        peer.Define(0, "test/Slow");
        peer.Request(new CallId(1, 1), 0, []);
        AssertBounded(() => Repeat(peer, Raw.Frame(FrameKind.Cancel, new(1, 1), [0])));
        method.Pending[0].Reply([]);

        AssertBounded(() => Repeat(peer, Raw.Frame(FrameKind.Cancel, new(1, 1), [0])));

        Assert.Equal(Flood, peer.Sut.Received.DiscardedFrames);
        CheckLife(peer);
    }

    [Fact]
    public void A_flood_of_extension_frames_is_skipped()
    {
        var peer = ScriptedPeer.Open(accepting: false);

        AssertBounded(() => Repeat(peer, Raw.Frame(FrameKind.FirstExtension, default, new byte[100])));

        Assert.Equal(Flood, peer.Sut.Received.SkippedFrames);
        CheckLife(peer);
    }

    [Fact]
    public void A_flood_of_drain_announcements_is_acknowledged_once()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        peer.Call(s_own, []);
        peer.ReadAll();

        AssertBounded(() => Repeat(peer, Raw.Frame(FrameKind.GoAway, default, [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0])));

        Assert.Single(peer.ReadAll());
        CheckLife(peer);
    }

    [Fact]
    public void Definitions_up_to_the_limit_cost_24_bytes_each_and_the_next_ends_the_connection()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Local = new PeerSettings { MaxOrdinals = 65_536 } });
        byte[] define = Raw.Define(0, 0, "x"u8);

        AssertBounded(
            () =>
            {
                for (int ordinal = 0; ordinal < 65_536; ordinal++)
                {
                    (define[8], define[9]) = ((byte)ordinal, (byte)(ordinal >> 8));
                    peer.Send(define);
                }
            },
            allowance: 65_536 * (2 * 24 + 32)); // a reference, a limit, a shape and a fingerprint each in a table that doubles; and the test's own look-up makes a string of each name

        Assert.Null(peer.Owner.End);
        peer.Send(define);
        Assert.NotNull(peer.Owner.End);
        peer.End();
    }

    [Fact]
    public void Answers_to_definitions_wait_for_a_peer_that_does_not_read_with_18_bytes_each()
    {
        const int count = 4_096;
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Echo");
        peer.StopReading();
        byte[] define = Raw.DefineWith(0, "test/Echo"u8);

        AssertBounded(
            () =>
            {
                for (int ordinal = 0; ordinal < count; ordinal++)
                {
                    (define[8], define[9]) = ((byte)ordinal, (byte)(ordinal >> 8));
                    peer.Send(define);
                }
            },
            allowance: count * (18 + 2 * 24 + 64) + 64 * 1024); // beside the table the test's own look-up makes a string of each name, and blocks are rented whole

        Assert.Null(peer.Owner.End);
        Assert.Equal(count * 18, peer.Sut.Outbound.Unsent);
        peer.End();
    }

    [Fact]
    public void Requests_up_to_the_limit_hold_their_slots_and_no_more()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Slow");
        byte[] requests = [.. Enumerable.Range(1, 16_384).SelectMany(slot => Raw.Request(slot, 1, 0))];

        AssertBounded(() => peer.Send(requests), allowance: 3L * 1024 * 1024); // the test keeps each request

        Assert.Equal(16_384, peer.Sut.RequestCounts.OpenCount);
        peer.Request(new CallId(16_385, 1), 0, []);
        Assert.Equal(CloseReason.ProtocolError, peer.Owner.End?.Reason);
        peer.End();
    }

    [Fact]
    public void A_flood_of_requests_whose_refusals_are_not_read_ends_the_connection()
    {
        var options = new ConnectionOptions { UnsentLimit = 1_000, ParkedLimit = 0, Local = new PeerSettings { MaxCalls = 100 } };
        var peer = ScriptedPeer.Open(accepting: true, options);
        peer.Methods.Add("test/Fat").Handler = _ => new byte[2_000];
        peer.Define(0, "test/Fat");
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        uint generation = 0;

        AssertBounded(() =>
        {
            while (peer.Owner.End is null && generation < Flood) peer.Request(new CallId(2, ++generation), 0, []);
        });

        Assert.Equal(CloseReason.ExcessiveLoad, peer.Owner.End?.Reason);
        Assert.InRange(generation, 101u, 150u);
        peer.End();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void Calls_cancelled_at_random_lose_no_connection()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var random = new Random(7);
        for (int i = 0; i < 100_000; i++)
        {
            var call = peer.Call(s_own, [1]);
            bool cancelled = random.Next(2) == 0;
            if (cancelled) CallHolder.Cancel(call);
            peer.Respond(call.Id, [1]);
            Assert.Equal(cancelled, call.Failure is not null);
        }

        Assert.Null(peer.Owner.End);
        Assert.Equal(0, peer.Sut.Initiator.OpenCount);
    }

    private static void Repeat(ScriptedPeer peer, byte[] frame)
    {
        byte[] batch = [.. Enumerable.Repeat(frame, 100).SelectMany(bytes => bytes)];
        for (int i = 0; i < Flood / 100; i++) peer.Send(batch);
    }

    private static void AssertBounded(Action flood, long allowance = Allowance)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        flood();
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, allowance);
    }

    private void CheckLife(ScriptedPeer peer)
    {
        Assert.Null(peer.Owner.End);
        peer.Link.Grow(long.MaxValue);
        peer.End();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }
}
