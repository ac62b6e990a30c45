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

/// <summary>
/// The eight bytes that each side sends before its first frame (PROTOCOL.md section 1.1): name and version, then line ends that a text-mode link would alter,
/// so that such a link fails here rather than inside a message.
/// </summary>
internal static class Preface
{
    public const int Size = 8;

    public static ReadOnlySpan<byte> Bytes => "MUX1\r\n\u001a\n"u8;
}

/// <summary>The three flag bits of a frame header (PROTOCOL.md section 2.1).</summary>
[Flags]
internal enum FrameFlags : byte
{
    None = 0,

    /// <summary>The message continues in the next frame of this kind and id.</summary>
    More = 1,

    /// <summary>A metadata block precedes the body.</summary>
    Meta = 2,

    /// <summary>The message is compressed.</summary>
    Compressed = 4,

    /// <summary>In PING, GOAWAY, DEFINE and AUTH: an answer to the peer's frame. Same bit as <see cref="Compressed"/>.</summary>
    Answer = 4,
}

/// <summary>
/// Id of a call in its initiator's id space: a slot, which indexes flat tables at both ends, and a generation, which distinguishes the calls of one slot
/// (PROTOCOL.md section 2.2).
/// </summary>
internal readonly record struct CallId(uint Value)
{
    /// <summary>Twenty bits; slot 0 is the connection itself.</summary>
    public const int MaxSlot = (1 << SlotBits) - 1;

    /// <summary>Twelve bits: 4095 is followed by 0.</summary>
    public const uint GenerationMask = 0xFFF;

    private const int SlotBits = 20;

    public CallId(int slot, uint generation)
        : this((uint)slot | (generation & GenerationMask) << SlotBits)
    {
    }

    public int Slot => (int)(Value & MaxSlot);

    public uint Generation => Value >> SlotBits;

    public override string ToString() => $"{Slot}#{Generation}";
}
