using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Budgets;

/// <summary>Floods of what is cheap to send, against the limits of a server that was told nothing: the peer is cut off within its budget, and told why.</summary>
public sealed class BudgetFloodTests
{
    private const int Flood = 1_000_000;

    private static readonly BudgetLimits s_edge = EffectiveLimits.Of(new MuxServerOptions()).Budgets;

    /// <summary>Of each kind of frame that carries no message: on an open call, on an answered one, or on the connection.</summary>
    public static TheoryData<string> ControlFrames => ["ping answers", "cancels of an open call", "cancels of an answered call", "credit", "credit of an answered call", "credit of a stream", "drains", "extensions"];

    [Theory, MemberData(nameof(ControlFrames))]
    public void A_flood_of_frames_without_a_message_is_cut_off_within_its_budget(string flood)
    {
        var peer = OpenWithCalls();
        byte[] frame = FrameOf(flood);

        int sent = SendUntilCut(peer, frame);

        Assert.InRange(sent, 9_000, 10_500); // and those that the calls before have earned
        AssertCut(peer, ConnectionCode.ExcessiveLoad, PeerLimit.ControlFrames);
    }

    [Theory, MemberData(nameof(ControlFrames))]
    public void What_comes_slower_than_the_budget_refills_goes_on_for_ever(string flood)
    {
        var peer = OpenWithCalls();
        byte[] batch = [.. Enumerable.Repeat(FrameOf(flood), 90).SelectMany(bytes => bytes)];
        for (int i = 0; i < 1_000 && peer.Owner.End is null; i++) // 90,000 frames in 100 s
        {
            peer.Send(batch);
            if (flood == "credit of a stream") peer.Credit(FrameKind.ResponseCredit, new(2, 1), 1);
            peer.Time.Advance(TimeSpan.FromMilliseconds(100));
        }

        Assert.Null(peer.Owner.End);
        peer.End();
    }

    [Fact]
    public void A_flood_of_PINGs_is_cut_off_after_a_hundred_strikes()
    {
        var peer = Open();
        int sent = SendUntilCut(peer, Raw.Frame(FrameKind.Ping, default, new byte[8]), batch: 1);
        Assert.Equal(102, sent); // the first is none, a hundred are let pass
        AssertCut(peer, ConnectionCode.TooManyPings, PeerLimit.Pings);
        Assert.Equal(CloseReason.TooManyPings, peer.Owner.End!.Reason);
    }

    [Theory]
    [InlineData("ping answers")]
    [InlineData("cancels of an open call")]
    [InlineData("extensions")]
    [InlineData("items of an answered call")]
    public void Frames_that_cost_nothing_do_not_hide_a_flood_of_PINGs(string between)
    {
        var peer = OpenWithCalls();
        byte[] both = [.. Raw.Frame(FrameKind.Ping, default, new byte[8]), .. FrameOf(between)];
        int sent = SendUntilCut(peer, both, batch: 1);
        Assert.Equal(102, sent);
        AssertCut(peer, ConnectionCode.TooManyPings, PeerLimit.Pings);
    }

    [Fact]
    public void PINGs_behind_credit_are_no_strikes_and_count_with_it_among_the_frames_without_a_message()
    {
        var peer = OpenWithCalls();
        byte[] both = [.. FrameOf("credit"), .. Raw.Frame(FrameKind.Ping, default, new byte[8])];
        Assert.InRange(SendUntilCut(peer, both), 4_500, 7_000); // a PING's answer earns a part of a frame
        AssertCut(peer, ConnectionCode.ExcessiveLoad, PeerLimit.ControlFrames);
    }

    [Fact]
    public void A_peer_that_floods_behind_its_end_is_not_waited_for()
    {
        var peer = Open();
        peer.SendFrame(FrameKind.Cancel, new CallId(1, 1), [0]); // of no call
        byte[] more = new byte[1024 * 1024];
        for (int sent = 0; sent < 16; sent++) peer.Send(more); // it may not have read of its end yet
        Assert.Equal(ConnectionState.Closing, peer.Sut.State);

        peer.Send([0]);

        Assert.Equal(ConnectionState.Closed, peer.Sut.State);
        Assert.Equal(CloseReason.ProtocolError, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_reader_that_takes_what_waited_and_asks_how_long_the_way_is_sends_no_flood()
    {
        var peer = Open();
        for (int i = 0; i < 20; i++)
        {
            peer.SendFrame(FrameKind.Credit, default, [1, 0, 0, 0]); // as half a window is given back, and nothing is sent to it meanwhile
            peer.SendFrame(FrameKind.Ping, default, new byte[8]);
            peer.Time.Advance(TimeSpan.FromMilliseconds(200));
        }

        Assert.Null(peer.Owner.End);
        peer.End();
    }

    [Fact]
    public void Frames_that_are_discarded_earn_nothing()
    {
        var peer = OpenWithCalls();
        byte[] both = [.. FrameOf("items of an answered call"), .. FrameOf("credit")];
        Assert.InRange(SendUntilCut(peer, both), 9_000, 10_500);
        AssertCut(peer, ConnectionCode.ExcessiveLoad, PeerLimit.ControlFrames);
    }

    [Fact]
    public void Replies_to_calls_that_were_given_up_earn_nothing()
    {
        var method = new MethodDescriptor("test", "Own", MethodShape.Unary, takesToken: false);
        var peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { Budgets = s_edge });
        int frames = 0;
        for (; peer.Owner.End is null && frames < 100_000; frames += 2)
        {
            var call = peer.Call(method, []);
            CallHolder.Cancel(call);
            peer.Respond(call.Id, []);
            if (peer.Owner.End is not null) break;
            byte[] credit = FrameOf("credit");
            peer.Send([.. credit, .. credit]);
        }

        // The bytes of each REQUEST and CANCEL, 29, earn one for each 64: half of a frame of the two that come.
        Assert.InRange(frames, 10_000, 15_000);
        AssertCut(peer, ConnectionCode.ExcessiveLoad, PeerLimit.ControlFrames);
    }

    [Fact]
    public void PINGs_at_their_interval_and_PINGs_among_messages_are_no_strikes()
    {
        var peer = Open();
        peer.Methods.Add("test/Echo").Handler = body => body;
        peer.Define(0, "test/Echo");
        for (int i = 0; i < 100; i++)
        {
            peer.SendFrame(FrameKind.Ping, default, new byte[8]);
            peer.Time.Advance(TimeSpan.FromSeconds(10));
        }

        for (uint i = 1; i <= 1_000; i++)
        {
            peer.Request(new CallId(1, i), 0, [1]);
            peer.SendFrame(FrameKind.Ping, default, new byte[8]);
        }

        Assert.Null(peer.Owner.End);
        peer.End();
    }

    [Fact]
    public void A_flood_of_small_fragments_of_messages_that_do_not_become_whole_is_cut_off_within_its_budget()
    {
        var peer = Open();
        peer.Methods.Add("test/Echo").Handler = body => body;
        peer.Define(0, "test/Echo");
        int sent = 0;
        for (int slot = 1; peer.Owner.End is null && sent < Flood; slot++)
        {
            peer.Begin(FrameKind.Request, new CallId(slot, 1), 17, [0, 0, 0, 0]);
            for (int i = 0; i < 16 && peer.Owner.End is null; i++, sent++) peer.Continue(FrameKind.Request, new CallId(slot, 1), [1]);
        }

        Assert.InRange(sent, 10_000, 11_500); // and those that the first frames have earned
        AssertCut(peer, ConnectionCode.ExcessiveLoad, PeerLimit.TinyFrames);
    }

    [Fact]
    public void A_message_in_more_fragments_than_its_length_allows_is_a_flood_of_small_fragments()
    {
        var peer = Open();
        peer.Methods.Add("test/Echo").Handler = body => body;
        peer.Define(0, "test/Echo");
        peer.Begin(FrameKind.Request, new CallId(1, 1), 1 << 20, [0, 0, 0, 0]);

        Assert.Equal(1_040 + 1, SendUntilCut(peer, Raw.Frame(FrameKind.Request, new CallId(1, 1), [1], FrameFlags.More), batch: 1)); // one for each 1,024 bytes, and 16
        AssertCut(peer, ConnectionCode.ExcessiveLoad, PeerLimit.TinyFrames);
    }

    [Theory]
    [InlineData("a flood", 256)]
    [InlineData("another broken rule", 16 * 1024)]
    public void Behind_its_end_a_peer_may_send_less_if_it_flooded(string end, int kibibytes)
    {
        var peer = OpenWithCalls();
        if (end == "a flood") SendUntilCut(peer, FrameOf("extensions"));
        else peer.SendFrame(FrameKind.Hello, default, [1, 1, 0, 0]);
        Assert.NotNull(peer.Owner.End);
        byte[] more = new byte[1024];
        int sent = 0;
        for (; !peer.Link.IsClosed && sent < 1 << 20; sent++) peer.Send(more);

        Assert.InRange(sent, kibibytes - 8, kibibytes + 1); // a piece of the flood was read behind the end too
        peer.End();
    }

    [Fact]
    public void A_flood_of_empty_pieces_is_cut_off_within_its_budget()
    {
        var peer = Open();
        var method = peer.Methods.Add("test/Upload", MethodShape.RequestStream);
        peer.Define(0, "test/Upload", MethodShape.RequestStream);
        peer.RequestStream(new CallId(1, 1), 0);
        int sent = 0;
        BudgetBreach? breach = null;
        for (; breach is null && sent < Flood; sent++)
        {
            method.Items[0].Window!.OnDropped(CreditFrame.MinItemCost);
            breach = peer.Sut.Budgets.CountEmptyPieces();
        }

        Assert.InRange(sent, 10_000, 10_100);
        Assert.Equal(PeerLimit.TinyFrames, breach!.Limit);
        peer.End();
    }

    [Fact]
    public void Requests_with_too_much_metadata_are_refused_nine_times()
    {
        var peer = Open();
        peer.Methods.Add("test/Echo").Handler = body => body;
        peer.Define(0, "test/Echo");
        byte[] block = MetadataOf(9_000);
        uint generation = 0;
        while (peer.Owner.End is null && generation < 1_000) peer.SendFrame(FrameKind.Request, new CallId(1, ++generation), [0, 0, 0, 0, .. block], FrameFlags.Meta);

        Assert.Equal(11u, generation);
        AssertCut(peer, ConnectionCode.ExcessiveLoad, PeerLimit.Misuse);
    }

    [Fact]
    public void A_breach_allocates_nothing_before_it_is_one()
    {
        var peer = OpenWithCalls();
        byte[] frame = FrameOf("cancels of an open call");
        byte[] batch = [.. Enumerable.Repeat(frame, 100).SelectMany(bytes => bytes)];
        peer.Send(batch);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 80; i++) peer.Send(batch);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Null(peer.Owner.End);
        peer.End();
    }

    private static ScriptedPeer Open() => ScriptedPeer.Open(accepting: true, new ConnectionOptions { Budgets = s_edge });

    /// <summary>Call 1 is open, call 2 is a stream of replies, call 3 is answered.</summary>
    private static ScriptedPeer OpenWithCalls()
    {
        var peer = Open();
        peer.Methods.Add("test/Slow", takesToken: true);
        peer.Methods.Add("test/Items", MethodShape.ResponseStream);
        peer.Methods.Add("test/Echo").Handler = body => body;
        peer.Define(0, "test/Slow");
        peer.Define(1, "test/Items", MethodShape.ResponseStream);
        peer.Define(2, "test/Echo");
        peer.Request(new CallId(1, 1), 0, []);
        peer.Request(new CallId(2, 1), 1, []);
        peer.Request(new CallId(3, 1), 2, []);
        return peer;
    }

    private static byte[] FrameOf(string flood) => flood switch
    {
        "ping answers" => Raw.Frame(FrameKind.Ping, default, new byte[8], FrameFlags.Answer),
        "cancels of an open call" => Raw.Frame(FrameKind.Cancel, new(1, 1), [0]),
        "cancels of an answered call" => Raw.Frame(FrameKind.Cancel, new(3, 1), [0]),
        "credit" => Raw.Frame(FrameKind.Credit, default, Raw.U32(1)),
        "credit of an answered call" => Raw.Frame(FrameKind.ResponseCredit, new(3, 1), Raw.U32(1)),
        "credit of a stream" => Raw.Frame(FrameKind.ResponseCredit, new(2, 1), Raw.U32(1)),
        "items of an answered call" => Raw.Frame(FrameKind.RequestItem, new(3, 1), [1]),
        "drains" => Raw.Frame(FrameKind.GoAway, default, [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0]),
        _ => Raw.Frame(FrameKind.FirstExtension, default, new byte[20]),
    };

    /// <summary>A block of entries that together are charged so much.</summary>
    private static byte[] MetadataOf(int bytes)
    {
        var metadata = new MuxMetadata();
        for (int i = 0; i * 1_000 < bytes; i++) metadata.Add($"key{i}", new string('x', 1_000));
        Assert.True(MetadataBlock.TryMeasure(metadata, ushort.MaxValue, out int length));
        var block = new byte[length];
        MetadataBlock.Write(block, metadata);
        return block;
    }

    private static int SendUntilCut(ScriptedPeer peer, byte[] frame, int batch = 100)
    {
        byte[] frames = [.. Enumerable.Repeat(frame, batch).SelectMany(bytes => bytes)];
        int sent = 0;
        for (; peer.Owner.End is null && sent < Flood; sent += batch) peer.Send(frames);
        return sent;
    }

    private static void AssertCut(ScriptedPeer peer, ConnectionCode code, PeerLimit limit)
    {
        Assert.Equal(limit, peer.Owner.End?.Limit);
        var last = peer.ReadAll()[^1];
        Assert.True(GoAwayFrame.TryRead(last.Payload, out var goAway, out _));
        Assert.Equal((code, 10_000u), (goAway.Code, goAway.RetryAfterMilliseconds)); // when its budgets are full again
        peer.End();
    }
}
