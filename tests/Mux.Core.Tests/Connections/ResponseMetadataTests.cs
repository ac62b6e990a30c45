using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>What a caller finds in the object that it gave for the metadata of its reply.</summary>
public sealed class ResponseMetadataTests
{
    private const int Total = 2;

    private static readonly MethodDescriptor s_method = new("test", "Method", MethodShape.Unary, takesToken: false);

    private readonly MuxMetadata _sink = [];

    [Fact]
    public void Metadata_of_a_reply_in_fragments_comes_with_its_end()
    {
        var (peer, call) = Open(new ConnectionOptions());

        Begin(peer, call, "reply");
        Assert.Empty(_sink);
        peer.Continue(FrameKind.Response, call.Id, new byte[Total], isLast: true);

        Assert.Equal("reply", Assert.Single(_sink).Text);
        Assert.Equal(Total, call.Response?.Length);
    }

    [Fact]
    public void A_failure_in_the_place_of_a_reply_in_fragments_comes_with_its_own_metadata_alone()
    {
        var (peer, call) = Open(new ConnectionOptions());

        Begin(peer, call, "reply");
        peer.SendFrame(FrameKind.Fail, call.Id, [(byte)MuxStatus.Aborted, (byte)MuxExecution.Executed, 0, 0, 0, 0, 0, 0, .. Block("failure")], FrameFlags.Meta);

        Assert.Equal("failure", Assert.Single(_sink).Text);
        Assert.Equal(MuxStatus.Aborted, call.Failure?.Status);
    }

    [Fact]
    public void A_call_that_ends_before_its_reply_is_whole_gets_nothing_of_it()
    {
        var (peer, call) = Open(new ConnectionOptions());

        Begin(peer, call, "reply");
        CallHolder.Cancel(call);
        peer.Continue(FrameKind.Response, call.Id, new byte[Total], isLast: true);

        Assert.Empty(_sink);
        Assert.Equal(0, peer.Sut.Initiator.OpenCount);
    }

    [Fact]
    public void Metadata_that_is_kept_takes_its_part_of_the_room()
    {
        var (peer, call) = Open(new ConnectionOptions { ReassemblyLimit = Total });

        Begin(peer, call, "reply");

        Assert.Equal(MuxStatus.ResourceExhausted, call.Failure?.Status);
    }

    [Fact]
    public void Several_calls_may_fill_one_object_at_once()
    {
        const int each = 50_000;
        Action<Racers> fill = racers =>
        {
            racers.Meet();
            for (int i = 0; i < each; i++) _sink.Add("key", ReadOnlyMemory<byte>.Empty);
        };

        Racers.Run(fill, fill);

        Assert.Equal(2 * each, _sink.Count);
    }

    [Fact]
    public void A_reader_sees_whole_entries_while_others_are_added_and_replaced()
    {
        Action<Racers> write = racers =>
        {
            racers.Meet();
            for (int i = 0; i < 20_000; i++)
            {
                _sink.Add("key", "value");
                if (i % 50 == 0) _sink["key"] = "value";
            }
        };
        Action<Racers> read = racers =>
        {
            racers.Meet();
            for (int i = 0; i < 20_000; i++)
            {
                int count = 0;
                foreach (var entry in _sink)
                {
                    Assert.Equal(("key", "value"), (entry.Key, entry.Text));
                    count++;
                }

                Assert.True(count > 0, "The entry that was always there is gone.");
            }
        };
        _sink.Add("key", "value");

        Racers.Run(write, read);
    }

    private static byte[] Block(string value)
    {
        MuxMetadata metadata = new() { ["key"] = value };
        var block = new byte[MetadataBlock.Measure(metadata, out _)];
        MetadataBlock.Write(block, metadata);
        return block;
    }

    private static void Begin(ScriptedPeer peer, OutgoingCall call, string metadata)
    {
        var length = new byte[FragmentHead.Length];
        FragmentHead.Write(length, Total);
        peer.SendFrame(FrameKind.Response, call.Id, [.. length, .. Block(metadata)], FrameFlags.More | FrameFlags.Meta);
    }

    private (ScriptedPeer Peer, ProbeCall Call) Open(ConnectionOptions options)
    {
        var peer = ScriptedPeer.Open(accepting: false, options with { Work = new ManualWork() });
        var call = new ProbeCall(s_method) { Extras = new CallExtras { ResponseMetadata = _sink } };
        Assert.True(peer.Sut.Initiator.TryStart(call, []));
        return (peer, call);
    }
}
