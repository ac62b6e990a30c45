using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>What the metadata of requests may make this side hold.</summary>
public sealed class RequestMetadataTests
{
    private const int Entries = 60;
    private const int Charge = 2 * Entries * (1 + 32); // keys of one byte and no values, decoded

    private static readonly byte[] s_entries = [.. Enumerable.Repeat<byte[]>([1, (byte)'a', 0, 0], Entries).SelectMany(entry => entry)];
    private static readonly byte[] s_block = [(byte)s_entries.Length, (byte)(s_entries.Length >> 8), .. s_entries];

    private readonly OptionsMethod _method = new();

    [Fact]
    public void Metadata_that_a_handler_sees_is_charged_until_the_call_is_answered()
    {
        var peer = Open(new ConnectionOptions());

        Send(peer, new CallId(1, 1));

        Assert.Equal(Entries, Assert.Single(_method.Calls).Extras!.Metadata!.Count);
        Assert.InRange(peer.Sut.Replies.Slots.Charged, Charge, Charge + 1024);
        _method.Calls[0].Reply([]);
        Assert.Equal(0, peer.Sut.Replies.Slots.Charged);
    }

    [Fact]
    public void Metadata_that_no_handler_sees_is_not_kept()
    {
        var peer = Open(new ConnectionOptions());
        var method = peer.Methods.Add("test/Plain");
        peer.Define(1, "test/Plain");

        peer.SendFrame(FrameKind.Request, new CallId(1, 1), [1, 0, 0, 0, .. s_block], FrameFlags.Meta);

        Assert.Null(Assert.Single(method.Pending).Extras!.Metadata);
        Assert.Equal(0, peer.Sut.Replies.Slots.Charged);
    }

    [Fact]
    public void Metadata_of_running_and_of_parked_requests_is_bounded_with_them()
    {
        var peer = Open(new ConnectionOptions { RunningLimit = 1, ParkedLimit = 2 * Charge });

        for (int slot = 1; slot <= 3; slot++) Send(peer, new CallId(slot, 1));

        Assert.Single(_method.Calls); // one is parked
        var refusal = Assert.Single(peer.ReadAll());
        Assert.Equal((FrameKind.Fail, 3), (refusal.Kind, refusal.Id.Slot));
        Assert.True(FailFrame.TryRead(refusal.Payload, out var fail, out _));
        Assert.Contains("MaxRunningBytes allows 1 for one connection", fail.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Metadata_of_a_request_that_is_not_whole_takes_its_part_of_the_room()
    {
        var peer = Open(new ConnectionOptions { ReassemblyLimit = Charge + 20_000 });
        byte[] first = [0, 0, 0, 0, .. Raw(20_000), .. s_block];
        peer.SendFrame(FrameKind.Request, new CallId(1, 1), first, FrameFlags.More | FrameFlags.Meta);
        Assert.Empty(peer.ReadAll());

        peer.Begin(FrameKind.Request, new CallId(2, 1), 1, [0, 0, 0, 0]);
        var refusal = peer.Read();
        Assert.Equal((FrameKind.Fail, 2), (refusal.Kind, refusal.Id.Slot));
        peer.SendFrame(FrameKind.Cancel, new CallId(1, 1), [0]);
        peer.ReadAll();

        peer.Begin(FrameKind.Request, new CallId(3, 1), Charge + 20_000, [0, 0, 0, 0]);
        Assert.Empty(peer.ReadAll()); // all of it was given back
        peer.End();
    }

    private static byte[] Raw(int total)
    {
        var length = new byte[FragmentHead.Length];
        FragmentHead.Write(length, total);
        return length;
    }

    private static void Send(ScriptedPeer peer, CallId id) => peer.SendFrame(FrameKind.Request, id, [0, 0, 0, 0, .. s_block], FrameFlags.Meta);

    private ScriptedPeer Open(ConnectionOptions options)
    {
        var peer = ScriptedPeer.Open(accepting: true, options with { Work = new ManualWork() });
        peer.Methods.Others.Add(_method);
        peer.Define(0, "test/Options");
        return peer;
    }

    /// <summary>A method whose handler sees the options of its calls.</summary>
    private sealed class OptionsMethod : InboundMethod
    {
        private static readonly MethodDescriptor s_descriptor = new("test", "Options", MethodShape.Unary, takesToken: false) { TakesOptions = true };

        public List<InboundCall> Calls { get; } = [];

        public override MethodDescriptor Descriptor => s_descriptor;

        public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body) => Calls.Add(call with { InTurn = false });
    }
}
