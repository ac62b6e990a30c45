using Mux.Wire;

namespace Mux.Framing;

/// <summary>Finds frames in received bytes. Pure: keeps nothing between calls, so any split of a stream gives the same frames.</summary>
internal static class FrameReader
{
    /// <summary>
    /// Looks at the front of <paramref name="bytes"/>. A header is judged as soon as its eight bytes are there, before anything is kept for its payload.
    /// </summary>
    /// <param name="bytes">Received and not consumed.</param>
    /// <param name="maxPayload">Longest payload this side takes.</param>
    /// <param name="header">The header, once eight bytes are there.</param>
    /// <param name="violation">The broken rule.</param>
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
