using System.Buffers.Binary;
using Mux.Contracts;

namespace Mux.Wire;

/// <summary>DEFINE (0x05): gives a method a number for the rest of the connection, so that requests carry two bytes instead of a name.</summary>
/// <remarks>
/// <code>
/// ordinal u16 (dense from 0) | shape u8 | name, 1 to 256 bytes "service/method"
/// </code>
/// </remarks>
internal readonly ref struct DefineFrame(ushort ordinal, MethodShape shape, ReadOnlySpan<byte> name)
{
    private const int HeadLength = 3;
    private const MethodShape DefinedShapes = (MethodShape)7;

    public ushort Ordinal { get; } = ordinal;

    public MethodShape Shape { get; } = shape;

    public ReadOnlySpan<byte> Name { get; } = name;

    public int Length => HeadLength + Name.Length;

    public static bool TryRead(ReadOnlySpan<byte> payload, out DefineFrame frame, out ProtocolViolation? violation)
    {
        frame = default;
        violation = null;
        if (payload.Length is <= HeadLength or > HeadLength + ProtocolConstants.MaxMethodName)
        {
            violation = new(ConnectionCode.ProtocolError,
                $"DEFINE names a method in {payload.Length - HeadLength} bytes; allowed are 1 to {ProtocolConstants.MaxMethodName}.");
            return false;
        }

        var shape = (MethodShape)payload[2];
        if ((shape & ~DefinedShapes) != 0)
        {
            violation = new(ConnectionCode.ProtocolError, $"DEFINE has the shape {payload[2]}; only the lowest three bits are defined.");
            return false;
        }

        frame = new(BinaryPrimitives.ReadUInt16LittleEndian(payload), shape, payload[HeadLength..]);
        return true;
    }

    public void Write(Span<byte> payload)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(payload, Ordinal);
        payload[2] = (byte)Shape;
        Name.CopyTo(payload[HeadLength..]);
    }
}
