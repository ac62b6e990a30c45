using System.Buffers.Binary;

namespace Mux.Protocol;

/// <summary>Trace context of a REQUEST: the call's place in a distributed trace, as in W3C Trace Context (PROTOCOL.md section 4.1).</summary>
/// <remarks>
/// <code>
/// trace id, 16 bytes | span id, 8 bytes | flags u8
/// </code>
/// The ids are byte strings, not numbers. They are kept highest byte first, so that their hexadecimal digits are those of the bytes in order.
/// </remarks>
internal readonly record struct TraceContext(ulong TraceIdHigh, ulong TraceIdLow, ulong SpanId, byte Flags)
{
    public const int Length = 25;

    public TraceContext(ReadOnlySpan<byte> from)
        : this(BinaryPrimitives.ReadUInt64BigEndian(from), BinaryPrimitives.ReadUInt64BigEndian(from[8..]), BinaryPrimitives.ReadUInt64BigEndian(from[16..]),
            from[24])
    {
    }

    /// <summary>True if both ids are valid, that is, not all zero.</summary>
    public bool IsValid => (TraceIdHigh | TraceIdLow) != 0 && SpanId != 0;

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteUInt64BigEndian(to, TraceIdHigh);
        BinaryPrimitives.WriteUInt64BigEndian(to[8..], TraceIdLow);
        BinaryPrimitives.WriteUInt64BigEndian(to[16..], SpanId);
        to[24] = Flags;
    }

    public override string ToString() => $"{TraceIdHigh:x16}{TraceIdLow:x16}-{SpanId:x16}-{Flags:x2}";
}
