using System.Buffers.Binary;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Budgets;

/// <summary>Calls that are opened to be cancelled, and those that only look like it: of users, and of a client whose deadlines pass because the server is slow.</summary>
public sealed class PrematureCancelTests
{
    private const int Flood = 100_000;
    private const int MaxCalls = 4_096;

    [Theory]
    [InlineData(0, false, 2_000)]
    [InlineData(60_000, false, 2_000)]
    [InlineData(1_000, false, 2_000)] // half of its time is not over
    [InlineData(60_000, true, 2_000 + MaxCalls)] // taken at its word as often as requests and cancels can have waited together, of which nine of ten are too many
    public void Calls_that_are_opened_to_be_cancelled_end_the_connection(int deadlineMilliseconds, bool saysDeadline, int most)
    {
        var peer = Open(out var method);
        uint generation = 0;
        while (peer.Owner.End is null && generation < Flood)
        {
            Request(peer, new CallId(1, ++generation), deadlineMilliseconds);
            peer.SendFrame(FrameKind.Cancel, new CallId(1, generation), [Reason(saysDeadline)]);
            if (peer.Owner.End is null) method.Pending[^1].Fail(MuxStatus.Cancelled, MuxExecution.Executed, "Cancelled.");
        }

        Assert.InRange(generation, 2_000u, (uint)most * 11);
        if (!saysDeadline) Assert.Equal(2_000u, generation);
        Assert.Equal(PeerLimit.PrematureCancels, peer.Owner.End?.Limit);
        peer.End();
    }

    [Theory]
    [InlineData(10, 8, 0, 0, false)] // four of five are cancelled
    [InlineData(1, 1, 1_100, 0, false)] // all of them, but later
    [InlineData(1, 1, 200, 200, true)] // all of them, at their deadline
    [InlineData(1, 1, 150, 200, true)] // and when the cancel was faster than its request
    [InlineData(1, 1, 210, 200, false)]
    [InlineData(1, 1, 0, 10, true)]
    public void Calls_that_are_cancelled_as_users_do_it_are_no_flood(int of, int cancelled, int afterMilliseconds, int deadlineMilliseconds, bool saysDeadline)
    {
        var peer = Open(out var method);
        for (int round = 1; round <= 30; round++)
        {
            for (int slot = 1; slot <= 500; slot++) Request(peer, new CallId(slot, (uint)round), deadlineMilliseconds);
            peer.Time.Advance(TimeSpan.FromMilliseconds(afterMilliseconds));
            for (int slot = 1; slot <= 500; slot++)
            {
                if (slot % of < cancelled) peer.SendFrame(FrameKind.Cancel, new CallId(slot, (uint)round), [Reason(saysDeadline)]);
                method.Pending[slot - 1].Reply([]);
            }

            method.Pending.Clear();
        }

        Assert.Null(peer.Owner.End);
        peer.End();
    }

    [Fact]
    public void Calls_that_waited_for_the_link_until_their_deadlines_had_passed_are_no_flood()
    {
        var peer = Open(out var method);
        for (int slot = 1; slot <= MaxCalls; slot++) // as many as a client has open
        {
            Request(peer, new CallId(slot, 1), 800);
            peer.SendFrame(FrameKind.Cancel, new CallId(slot, 1), [(byte)CancelReason.Deadline]);
        }

        Assert.Null(peer.Owner.End);
        Assert.Equal(MaxCalls, method.Pending.Count);
        peer.End();
    }

    [Fact]
    public void A_client_that_cancels_each_of_nine_thousand_calls_a_second_is_no_flood()
    {
        const int PerTenth = 900;
        var peer = Open(out var method, ProfileDefaults.Of(MuxProfile.Edge).PrematureCancels);
        for (int slot = 1; slot <= MaxCalls; slot++) Request(peer, new CallId(slot, 1), 0); // as many as may be open when the window begins
        var open = method.Pending;
        for (uint tenth = 1; tenth <= 250; tenth++)
        {
            peer.Time.Advance(TimeSpan.FromMilliseconds(100));
            for (int slot = 1; slot <= PerTenth; slot++)
            {
                peer.SendFrame(FrameKind.Cancel, new CallId(slot, tenth), [0]);
                open[slot - 1].Fail(MuxStatus.Cancelled, MuxExecution.Executed, "Cancelled.");
                Request(peer, new CallId(slot, tenth + 1), 0);
                open[slot - 1] = open[^1];
                open.RemoveAt(MaxCalls);
            }

            peer.Read();
        }

        Assert.Null(peer.Owner.End);
        peer.End();
    }

    private static byte Reason(bool saysDeadline) => (byte)(saysDeadline ? CancelReason.Deadline : CancelReason.Unspecified);

    private static ScriptedPeer Open(out ProbeMethod method, long limit = 2_000)
    {
        var options = new ConnectionOptions { Budgets = EffectiveLimits.Of(new MuxServerOptions { Limits = { PrematureCancels = limit } }).Budgets, Local = new PeerSettings { MaxCalls = MaxCalls } };
        var peer = ScriptedPeer.Open(accepting: true, options);
        method = peer.Methods.Add("test/Slow", takesToken: true);
        peer.Define(0, "test/Slow");
        return peer;
    }

    private static void Request(ScriptedPeer peer, CallId id, int deadlineMilliseconds)
    {
        if (deadlineMilliseconds == 0)
        {
            peer.Request(id, 0, []);
            return;
        }

        byte[] head = [0, 0, (byte)RequestOptions.Deadline, 0, 0, 0, 0, 0];
        BinaryPrimitives.WriteUInt32LittleEndian(head.AsSpan(4), (uint)deadlineMilliseconds * 1_000);
        peer.SendFrame(FrameKind.Request, id, head);
    }
}
