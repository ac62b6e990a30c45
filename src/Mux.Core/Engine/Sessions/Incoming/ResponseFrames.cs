using Mux.Protocol;

namespace Mux.Engine;

/// <summary>Writes RESPONSE frames with measured metadata into memory that is large enough.</summary>
internal static class ResponseFrames
{
    public static void Write(Span<byte> frame, CallId id, MuxMetadata? metadata, int metadataLength, ReadOnlySpan<byte> body)
    {
        new FrameHeader(FrameKind.Response, metadataLength > 0 ? FrameFlags.Meta : FrameFlags.None, id, metadataLength + body.Length).Write(frame);
        if (metadataLength > 0) MetadataBlock.Write(frame[FrameHeader.Size..], metadata!);
        body.CopyTo(frame[(FrameHeader.Size + metadataLength)..]);
    }

    /// <summary>Gets the length of the first frame of a reply in fragments.</summary>
    public static int LengthOfFirst(int metadataLength) => FrameHeader.Size + FragmentHead.Length + metadataLength;

    /// <summary>Writes the first frame of a reply in fragments, which carries no body.</summary>
    /// <returns>Its length.</returns>
    public static int WriteFirst(Span<byte> to, CallId id, MuxMetadata? metadata, int metadataLength, int bodyLength)
    {
        int at = FrameWriter.FirstFragment(to, FrameKind.Response, id, metadataLength, bodyLength);
        if (metadataLength > 0) MetadataBlock.Write(to[at..], metadata!);
        return at + metadataLength;
    }
}
