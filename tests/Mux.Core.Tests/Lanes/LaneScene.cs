using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Lanes;

/// <summary>Messages and blocks of a lane, and what comes out of it.</summary>
internal static class LaneScene
{
    public static byte[] Body(int length, int seed = 1)
    {
        var body = new byte[length];
        new Random(seed).NextBytes(body);
        return body;
    }

    public static BulkMessage Message(int slot, ReadOnlySpan<byte> body, int maxFragment = 32 * 1024, bool isCharged = true)
    {
        var message = BulkMessage.Copy(body);
        message.Begin(FrameKind.Response, new CallId(slot, 1), maxFragment, isCharged);
        return message;
    }

    /// <summary>A block with one frame.</summary>
    public static OutboundBlock Block(int slot, int payloadLength)
    {
        byte[] frame = ScriptedPeer.Frame(FrameKind.ResponseItem, new CallId(slot, 1), new byte[payloadLength]);
        var block = OutboundBlock.Rent(frame.Length);
        frame.CopyTo(block.Free);
        block.Commit(frame.Length);
        return block;
    }

    /// <summary>The frames of a batch, which is given back.</summary>
    public static List<RawFrame> Frames(OutboundBlock? batch)
    {
        var bytes = new List<byte>();
        while (batch is not null)
        {
            bytes.AddRange(BytesOf(batch));
            batch = batch.Return();
        }

        return Frames([.. bytes]);
    }

    /// <summary>The unsent bytes of a block.</summary>
    public static byte[] BytesOf(OutboundBlock block)
    {
        var pieces = new ReadOnlyMemory<byte>[OutboundBlock.MostPieces];
        block.List(pieces);
        return [.. pieces.SelectMany(piece => piece.ToArray())];
    }

    public static List<RawFrame> Frames(byte[] bytes)
    {
        var frames = new List<RawFrame>();
        for (int at = 0; at < bytes.Length;)
        {
            var header = FrameHeader.Read(bytes.AsSpan(at));
            frames.Add(new RawFrame(header, bytes[(at + FrameHeader.Size)..(at + FrameHeader.Size + header.Length)]));
            at += FrameHeader.Size + header.Length;
        }

        return frames;
    }
}
