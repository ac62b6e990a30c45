using System.Buffers;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>A peer that opens a slot again the moment that it is closed, without having read the answer.</summary>
public sealed class ReopenedSlotTests
{
    [Fact]
    public void A_large_reply_that_is_being_appended_leaves_the_streams_of_the_next_call_of_its_slot_alone()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = new ManualWork() });
        var first = peer.Methods.Add("test/Large");
        var next = peer.Methods.Add("test/Download", MethodShape.ResponseStream);
        peer.Define(0, "test/Large");
        peer.Define(1, "test/Download", MethodShape.ResponseStream);
        peer.Request(new CallId(1, 1), 0, []);
        byte[] request = ScriptedPeer.Frame(FrameKind.Request, new CallId(1, 2), [1, 0, 0, 0]);
        using var value = new WatchedMemory(() => peer.Link.Deliver(request, endBatch: false)); // as another thread may do: until then it takes no lock
        var metadata = new MuxMetadata();
        metadata.Add("key", value.Memory);

        first.Pending[0].WithOptions(new MuxCallOptions { ResponseMetadata = metadata }).Reply(new byte[ProtocolConstants.MaxWholeBody + 1]);

        Assert.NotNull(Assert.Single(next.Pending).Stream);
        peer.End();
    }

    /// <summary>A value of metadata that says when its bytes are written into a frame.</summary>
    private sealed class WatchedMemory(Action onRead) : MemoryManager<byte>
    {
        private bool _isRead;

        public override Span<byte> GetSpan()
        {
            if (!_isRead)
            {
                _isRead = true;
                onRead();
            }

            return new byte[1];
        }

        public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException();

        public override void Unpin()
        {
        }

        public override Memory<byte> Memory => CreateMemory(1);

        protected override void Dispose(bool disposing)
        {
        }
    }
}
