using System.Buffers.Binary;

namespace Mux.Protocol;

/// <summary>
/// Fingerprint of the message shapes that a side's contract gives to a method, as carried by DEFINE and its answer (PROTOCOL.md section 3.5).
/// </summary>
/// <remarks>
/// <code>
/// request u32 | response u32; 0 = not known
/// </code>
/// </remarks>
internal readonly record struct MethodFingerprint(uint Request, uint Response)
{
    public const int Length = 2 * sizeof(uint);

    /// <summary>True if there is a shape to compare.</summary>
    public bool IsKnown => (Request | Response) != 0;

    /// <summary>Names the messages whose shapes are known at both sides and differ; null if there are none.</summary>
    public string? DifferenceFrom(MethodFingerprint other)
    {
        bool requests = Request != 0 && other.Request != 0 && Request != other.Request;
        bool replies = Response != 0 && other.Response != 0 && Response != other.Response;
        return (requests, replies) switch
        {
            (true, true) => "requests and replies",
            (true, false) => "requests",
            (false, true) => "replies",
            _ => null,
        };
    }

    public static MethodFingerprint Read(ReadOnlySpan<byte> from) =>
        new(BinaryPrimitives.ReadUInt32LittleEndian(from), BinaryPrimitives.ReadUInt32LittleEndian(from[sizeof(uint)..]));

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(to, Request);
        BinaryPrimitives.WriteUInt32LittleEndian(to[sizeof(uint)..], Response);
    }
}
