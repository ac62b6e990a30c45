namespace Mux.Protocol;

/// <summary>Finds frames in received bytes. Keeps no state between calls, so any split of a stream yields the same frames.</summary>
internal static class FrameReader
{
    /// <summary>
    /// Reads the front of <paramref name="bytes"/>. Checks the header as soon as its eight bytes have arrived, before any memory is held for the payload.
    /// </summary>
    /// <param name="bytes">Received bytes that were not consumed.</param>
    /// <param name="maxPayload">Maximum payload length that this side accepts.</param>
    /// <param name="header">The header, if eight bytes have arrived.</param>
    /// <param name="violation">The violated rule, or null.</param>
    public static FrameReadResult Read(ReadOnlySpan<byte> bytes, int maxPayload, out FrameHeader header, out ProtocolViolation? violation)
    {
        violation = null;
        if (bytes.Length < FrameHeader.Size)
        {
            header = default;
            return FrameReadResult.Incomplete;
        }

        header = FrameHeader.Read(bytes);
        violation = FrameRules.Check(header, maxPayload);
        if (violation is not null) return FrameReadResult.Violation;
        return bytes.Length - FrameHeader.Size >= header.Length ? FrameReadResult.Frame : FrameReadResult.Incomplete;
    }
}
