using Mux.Protocol;

namespace Mux.TestSupport.Connections;

/// <summary>Joins the frames of messages that were sent in fragments.</summary>
internal static class Fragments
{
    /// <summary>Each message as if it were one frame, where its last frame stands: what was before its body (but for its length), and the body.</summary>
    public static List<RawFrame> Join(IEnumerable<RawFrame> frames)
    {
        var messages = new List<RawFrame>();
        var open = new Dictionary<(FrameKind, CallId), (int Total, List<byte> Payload)>();
        foreach (var frame in frames)
        {
            var key = (frame.Kind, frame.Id);
            bool hasMore = (frame.Header.Flags & FrameFlags.More) != 0;
            if (open.TryGetValue(key, out var message))
            {
                message.Payload.AddRange(frame.Payload);
                if (hasMore) continue;
                open.Remove(key);
                messages.Add(new RawFrame(new FrameHeader(frame.Kind, FrameFlags.None, frame.Id, message.Payload.Count), [.. message.Payload]));
                Assert.True(message.Payload.Count >= message.Total, $"{frame.Kind} {frame.Id} announced {message.Total} bytes.");
            }
            else if (hasMore)
            {
                int head = frame.Kind == FrameKind.Request && RequestHead.TryRead(frame.Payload, out var read, out _) ? read.Length : 0;
                Assert.True(FragmentHead.TryRead(frame.Payload.AsSpan(head), out int total, out _));
                open.Add(key, (total, [.. frame.Payload[..head], .. frame.Payload[(head + FragmentHead.Length)..]]));
            }
            else
            {
                messages.Add(frame);
            }
        }

        Assert.Empty(open);
        return messages;
    }
}
