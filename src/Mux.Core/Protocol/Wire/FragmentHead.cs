using System.Buffers.Binary;

namespace Mux.Protocol;

/// <summary>Head of the first of several fragments, before metadata and body; in a REQUEST it follows the request's head (PROTOCOL.md section 6.1).</summary>
/// <remarks>
/// <code>
/// total length u32: bytes of body in all fragments; heads and metadata are not counted
/// </code>
/// </remarks>
internal static class FragmentHead
{
    public const int Length = 4;

    /// <summary>Reads the head; <paramref name="payload"/> starts after the head of a REQUEST.</summary>
    public static bool TryRead(ReadOnlySpan<byte> payload, out int total, out ProtocolViolation? violation)
    {
        total = 0;
        violation = null;
        if (payload.Length < Length)
        {
            violation = new(ConnectionCode.ProtocolError, $"A first fragment carries {payload.Length} bytes; its total length alone takes {Length}.");
            return false;
        }

        uint number = BinaryPrimitives.ReadUInt32LittleEndian(payload);
        if (number is 0 or > int.MaxValue)
        {
            violation = new(ConnectionCode.ProtocolError, $"A first fragment announces {number} bytes in total; allowed are 1 to {int.MaxValue}.");
            return false;
        }

        total = (int)number;
        return true;
    }

    /// <summary>Reads the head of an item, which must be the whole payload.</summary>
    public static bool TryReadAlone(FrameHeader header, ReadOnlySpan<byte> payload, out int total, out ProtocolViolation? violation)
    {
        if (!TryRead(payload, out total, out violation)) return false;
        if (payload.Length == Length) return true;
        violation = BodyTooEarly(header, payload.Length - Length);
        return false;
    }

    /// <summary>Creates the violation for a first fragment that already carries bytes of the body.</summary>
    public static ProtocolViolation BodyTooEarly(FrameHeader header, int length) =>
        new(ConnectionCode.ProtocolError, $"The first fragment of {header.Kind} {header.Id} carries {length} bytes of body; the body begins with the second.");

    public static void Write(Span<byte> payload, int total) => BinaryPrimitives.WriteUInt32LittleEndian(payload, (uint)total);
}
