using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Metadata ahead of a response stream, at its caller, frame by frame.</summary>
public sealed class StreamMetadataTests
{
    private static readonly MethodDescriptor s_down = new("test", "Down", MethodShape.ResponseStream, takesToken: false);

    private readonly MuxMetadata _sink = [];
    private readonly ScriptedPeer _peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { Work = new ManualWork() });

    [Fact]
    public void Metadata_of_the_first_item_is_there_with_it_and_that_of_the_end_follows()
    {
        var call = Call();

        _peer.SendFrame(FrameKind.ResponseItem, call.Id, [.. Block("ahead"), 1, 2], FrameFlags.Meta);
        Assert.Equal([1, 2], Assert.Single(call.Received.Bodies));
        Assert.Equal("ahead", Assert.Single(_sink).Text);
        _peer.SendFrame(FrameKind.Response, call.Id, Block("end", "other"), FrameFlags.Meta);

        Assert.Equal(["ahead", "end"], _sink.Select(entry => entry.Text));
        Assert.Empty(call.Response!);
    }

    [Fact]
    public void The_end_replaces_the_keys_that_it_brings_again()
    {
        var call = Call();

        _peer.SendFrame(FrameKind.ResponseItem, call.Id, [.. Block("old"), 1], FrameFlags.Meta);
        _sink.Add("key", "of another call");
        _peer.SendFrame(FrameKind.Response, call.Id, Block("new"), FrameFlags.Meta);

        Assert.Equal(["of another call", "new"], _sink.Select(entry => entry.Text));
    }

    [Fact]
    public void Metadata_of_a_first_item_in_fragments_comes_with_its_first_frame()
    {
        var call = Call();

        _peer.SendFrame(FrameKind.ResponseItem, call.Id, [2, 0, 0, 0, .. Block("ahead")], FrameFlags.Meta | FrameFlags.More);
        Assert.Equal("ahead", Assert.Single(_sink).Text);
        _peer.Continue(FrameKind.ResponseItem, call.Id, [1, 2], isLast: true);

        Assert.Equal([1, 2], Assert.Single(call.Received.Bodies));
    }

    [Fact]
    public void Metadata_counts_for_the_credit_of_its_item()
    {
        var call = Call();
        var block = Block(new string('x', 200));

        _peer.SendFrame(FrameKind.ResponseItem, call.Id, [.. block, 1], FrameFlags.Meta);

        Assert.Equal(CreditFrame.CostOfItem(block.Length + 1), Assert.Single(call.Received.Costs));
    }

    [Fact]
    public void A_caller_that_asks_for_no_metadata_gets_the_item()
    {
        var call = _peer.CallStream(s_down);

        _peer.SendFrame(FrameKind.ResponseItem, call.Id, [.. Block("ahead"), 7], FrameFlags.Meta);

        Assert.Equal([7], Assert.Single(call.Received.Bodies));
    }

    [Fact]
    public void Metadata_for_a_call_that_its_caller_has_left_changes_nothing()
    {
        var call = Call();
        CallHolder.Cancel(call);

        _peer.SendFrame(FrameKind.ResponseItem, call.Id, [.. Block("ahead"), 7], FrameFlags.Meta);

        Assert.Empty(_sink);
        Assert.Null(_peer.Owner.End);
    }

    [Fact]
    public void Metadata_above_the_limit_fails_its_call_alone()
    {
        var call = Call();
        var sibling = _peer.CallStream(s_down);
        _peer.ReadAll();
        MuxMetadata many = [];
        for (int i = 0; i < 65; i++) many.Add("k", "v");
        var block = new byte[MetadataBlock.Measure(many, out _)];
        MetadataBlock.Write(block, many);

        _peer.SendFrame(FrameKind.ResponseItem, call.Id, [.. block, 7], FrameFlags.Meta);

        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.Executed), (call.Failure!.Status, call.Failure.Execution));
        Assert.Equal(FrameKind.Cancel, Assert.Single(_peer.ReadAll()).Kind);
        Assert.False(sibling.IsDone);
        Assert.Empty(_sink);
    }

    private static byte[] Block(string value, string key = "key")
    {
        MuxMetadata metadata = new() { [key] = value };
        var block = new byte[MetadataBlock.Measure(metadata, out _)];
        MetadataBlock.Write(block, metadata);
        return block;
    }

    private ProbeStreamCall Call()
    {
        var call = new ProbeStreamCall(s_down) { Extras = new CallExtras { ResponseMetadata = _sink } };
        Assert.True(_peer.Sut.Initiator.TryStart(call, []));
        return call;
    }
}
