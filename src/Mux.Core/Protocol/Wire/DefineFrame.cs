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
