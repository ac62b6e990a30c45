using System.Buffers.Binary;

namespace Mux.Protocol;

/// <summary>The eight bytes before every payload, one little-endian load (PROTOCOL.md section 2).</summary>
/// <remarks>
/// <code>
/// bits   0..23 length of payload | 24..28 kind | 29..31 flags | 32..51 slot | 52..63 generation
/// </code>
/// </remarks>
internal readonly record struct FrameHeader(ulong Value)
{
    /// <summary>Length of a header in bytes.</summary>
    public const int Size = 8;

    private const int KindShift = 24;
    private const int FlagsShift = 29;
    private const int IdShift = 32;
    private const uint LengthMask = 0xFF_FFFF;
    private const uint KindMask = 0x1F;

    public FrameHeader(FrameKind kind, FrameFlags flags, CallId id, int length)
        : this((uint)length | (ulong)kind << KindShift | (ulong)flags << FlagsShift | (ulong)id.Value << IdShift)
    {
    }

    /// <summary>Length of the payload, 0 to 16,777,215 bytes.</summary>
    public int Length => (int)((uint)Value & LengthMask);

    public FrameKind Kind => (FrameKind)((uint)(Value >> KindShift) & KindMask);

    public FrameFlags Flags => (FrameFlags)((uint)(Value >> FlagsShift) & 7);

    public CallId Id => new((uint)(Value >> IdShift));

    public static FrameHeader Read(ReadOnlySpan<byte> from) => new(BinaryPrimitives.ReadUInt64LittleEndian(from));

    public void Write(Span<byte> to) => BinaryPrimitives.WriteUInt64LittleEndian(to, Value);

    public override string ToString() => $"{Kind} {Id} flags {(int)Flags}, {Length} bytes";
}
