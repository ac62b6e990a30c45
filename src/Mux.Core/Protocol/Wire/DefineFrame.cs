using System.Buffers.Binary;
using Mux.Contracts;

namespace Mux.Protocol;

/// <summary>DEFINE (0x05): assigns a number to a method for the rest of the connection, so that requests carry two bytes instead of a name.</summary>
/// <remarks>
/// <code>
/// ordinal u16 (dense from 0) | shape u8, with bit 3: a fingerprint follows | fingerprint, 8 bytes, or nothing | name, 1 to 256 bytes "service/method"
/// </code>
/// </remarks>
internal readonly ref struct DefineFrame(ushort ordinal, MethodShape shape, ReadOnlySpan<byte> name, MethodFingerprint fingerprint = default) : IFrame
{
    private const int HeadLength = 3;
    private const byte DefinedShapes = 7;
    private const byte HasFingerprint = 8;

    public ushort Ordinal { get; } = ordinal;

    public MethodShape Shape { get; } = shape;

    public ReadOnlySpan<byte> Name { get; } = name;

    /// <summary>Fingerprint of the method; only for a peer that reads it, see <see cref="PeerSettings.ReadsFingerprints"/>.</summary>
    public MethodFingerprint Fingerprint { get; } = fingerprint;

    public int Length => NameAt + Name.Length;

    private int NameAt => HeadLength + (Fingerprint.IsKnown ? MethodFingerprint.Length : 0);

    public static FrameKind Kind => FrameKind.Define;

    public static bool TryRead(ReadOnlySpan<byte> payload, out DefineFrame frame, out ProtocolViolation? violation)
    {
        frame = default;
        violation = null;
        byte shape = payload.Length >= HeadLength ? payload[2] : (byte)0;
        if ((shape & ~(DefinedShapes | HasFingerprint)) != 0)
        {
            violation = new(ConnectionCode.ProtocolError, $"DEFINE has the shape {shape}; only the lowest four bits are defined.");
            return false;
        }

        if ((shape & (byte)MethodShape.OneWay) != 0 && (shape & (byte)MethodShape.Duplex) != 0)
        {
            violation = new(ConnectionCode.ProtocolError, $"DEFINE has the shape {shape}: a one-way method has no streams.");
            return false;
        }

        int nameAt = HeadLength + ((shape & HasFingerprint) != 0 ? MethodFingerprint.Length : 0);
        if (payload.Length <= nameAt || payload.Length > nameAt + ProtocolConstants.MaxMethodName)
        {
            violation = new(ConnectionCode.ProtocolError,
                $"DEFINE has a method name of {Math.Max(0, payload.Length - nameAt)} bytes; allowed are 1 to {ProtocolConstants.MaxMethodName}.");
            return false;
        }

        var fingerprint = (shape & HasFingerprint) != 0 ? MethodFingerprint.Read(payload[HeadLength..]) : default;
        frame = new(BinaryPrimitives.ReadUInt16LittleEndian(payload), (MethodShape)(shape & DefinedShapes), payload[nameAt..], fingerprint);
        return true;
    }

    public int Write(Span<byte> payload)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(payload, Ordinal);
        payload[2] = (byte)((byte)Shape | (Fingerprint.IsKnown ? HasFingerprint : 0));
        if (Fingerprint.IsKnown) Fingerprint.Write(payload[HeadLength..]);
        Name.CopyTo(payload[NameAt..]);
        return Length;
    }
}

/// <summary>Answer to a DEFINE whose fingerprint differs from the acceptor's; carries the acceptor's (PROTOCOL.md section 3.5).</summary>
/// <remarks>
/// <code>
/// ordinal u16 | fingerprint, 8 bytes
/// </code>
/// </remarks>
internal readonly record struct DefineAnswer(ushort Ordinal, MethodFingerprint Fingerprint) : IFrame
{
    public const int Length = sizeof(ushort) + MethodFingerprint.Length;

    public static FrameKind Kind => FrameKind.Define;

    public static FrameFlags Flags => FrameFlags.Answer;

    public static bool TryRead(ReadOnlySpan<byte> payload, out DefineAnswer answer, out ProtocolViolation? violation)
    {
        answer = default;
        violation = payload.Length == Length ? null
            : new(ConnectionCode.ProtocolError, $"Answer to DEFINE carries {payload.Length} bytes; it must carry {Length}.");
        if (violation is not null) return false;
        answer = new(BinaryPrimitives.ReadUInt16LittleEndian(payload), MethodFingerprint.Read(payload[sizeof(ushort)..]));
        return true;
    }

    public int Write(Span<byte> payload)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(payload, Ordinal);
        Fingerprint.Write(payload[sizeof(ushort)..]);
        return Length;
    }
}

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

/// <summary>Reasons for the end of a connection, as sent in GOAWAY (PROTOCOL.md section 5.3).</summary>
internal enum ConnectionCode : ushort
{
    Ok = 0,
    ProtocolError = 1,
    FrameTooLarge = 2,
    FlowControlError = 3,
    VersionMismatch = 4,
    AuthFailed = 5,
    CompressionError = 6,
    ExcessiveLoad = 7,
    TooManyPings = 8,
    SlowPeer = 9,
    KeepAliveTimeout = 10,
    IdleTimeout = 11,
    MaxAge = 12,
    Draining = 13,
    Internal = 14,
    Refused = 15,
}
