using System.Buffers.Binary;
using Google.Protobuf.Reflection;
using Mux.Serialization.Oracles.Values;
using Mux.Serialization.Oracles.Wire;

namespace Mux.Serialization.Oracles.Differences;

/// <summary>
/// Goes through bytes as Google's library would, and notes where ours does something else. It knows the format and the .proto file, and shares no code with either reader. It ends where
/// both readers end: at a mistake that both refuse, or at a difference behind which they are not at the same place.
/// </summary>
internal ref struct DifferenceScan
{
    private const int MaxDepth = 64;

    private readonly ReadOnlySpan<byte> _bytes;
    private int _position;
    private Difference _found;

    private DifferenceScan(ReadOnlySpan<byte> bytes) => _bytes = bytes;

    public static Difference Find(ReadOnlySpan<byte> bytes, MessageDescriptor descriptor)
    {
        var scan = new DifferenceScan(bytes);
        scan.Message(descriptor, bytes.Length, depth: 0, group: 0);
        return scan._found;
    }

    /// <returns>Whether the message goes on behind this.</returns>
    private bool Message(MessageDescriptor? descriptor, int end, int depth, int group)
    {
        if (depth >= MaxDepth) return Stop(Difference.TooDeep);
        int previousItem = 0; // the field before, if it was an item that stood alone
        HashSet<int>? seen = null;
        while (_position < end)
        {
            if (!Varint(end, out ulong tag, out int size)) return false;
            if (size > 5 || tag > uint.MaxValue) return Stop(Difference.LongTag);
            int number = (int)(tag >> 3);
            var type = (WireType)(tag & 7);
            if (number == 0) return false;
            if (type > WireType.Fixed32) return Stop(Difference.NoType);
            if (type == WireType.EndGroup) return number == group;
            var field = descriptor?.FindFieldByNumber(number);
            if (field is null)
            {
                if (!Unknown(number, type, end, depth)) return false;
                previousItem = 0;
                continue;
            }

            if (type == WireType.Bytes && previousItem == number) return Stop(Difference.BlockBehindItem);
            previousItem = field.IsRepeated && FieldForms.IsNumber(field) && type != WireType.Bytes ? number : 0;
            if (TwiceOf(field) is var twice && twice != Difference.None && !(seen ??= []).Add(number)) _found |= twice;
            if (!(FieldHints.Of(field).Form is null ? Known(field, type, end, depth) : Value(field, type, end, depth))) return false;
        }

        return group == 0;
    }

    private static Difference TwiceOf(FieldDescriptor field) => field switch
    {
        { IsRepeated: true } => Difference.None,
        { FieldType: FieldType.Bytes } => Difference.BytesTwice,
        _ => FieldForms.IsMessage(field) && FieldHints.Of(field).Form is not null ? Difference.ValueTwice : Difference.None,
    };

    // Goes behind the field as Google's library would, whether or not it says a value.
    private bool Value(FieldDescriptor field, WireType type, int end, int depth)
    {
        int start = _position;
        if (!Unknown(field.FieldNumber, type, end, depth)) return false;
        if (type != FieldForms.WireTypeOf(field) || !KnownBytes.IsOurs(field, _bytes[start.._position])) _found |= Difference.OtherForm;
        return true;
    }

    private bool Known(FieldDescriptor field, WireType type, int end, int depth)
    {
        var expected = FieldForms.WireTypeOf(field);
        if (field.IsRepeated && FieldForms.IsNumber(field) && type == WireType.Bytes) return Block(field, expected, end);
        if (type != expected)
        {
            if (!IsReadable(field, type)) return Stop(Difference.UnreadableType);
            _found |= Difference.OtherType;
            return Unknown(field.FieldNumber, type, end, depth);
        }

        switch (type)
        {
            case WireType.StartGroup:
                return Message(field.MessageType, end, depth + 1, field.FieldNumber);
            case WireType.Bytes when FieldForms.IsMessage(field):
                return Length(end, isShort: false, out int messageEnd) && Message(field.MessageType, messageEnd, depth + 1, group: 0);
            case WireType.Bytes:
                if (!Length(end, isShort: true, out int textEnd)) return false;
                _position = textEnd;
                return true;
            default:
                return Number(field, type, end);
        }
    }

    private static bool IsReadable(FieldDescriptor field, WireType type) => FieldForms.WireTypeOf(field) switch
    {
        WireType.StartGroup => type == WireType.Bytes,
        WireType.Bytes => FieldForms.IsMessage(field) && type == WireType.StartGroup,
        _ when field.FieldType is FieldType.Float or FieldType.Double => type is WireType.Fixed32 or WireType.Fixed64,
        _ => type is WireType.Varint or WireType.Fixed32 or WireType.Fixed64,
    };

    private bool Block(FieldDescriptor field, WireType type, int end)
    {
        if (!Length(end, isShort: true, out int blockEnd)) return false;
        while (_position < blockEnd)
        {
            if (!Number(field, type, blockEnd)) return false;
        }

        return true;
    }

    private bool Number(FieldDescriptor field, WireType type, int end)
    {
        int start = _position;
        if (!Raw(type, end, out ulong value)) return false;
        if (type == WireType.Varint && FieldForms.IsNarrow(field) && !IsShortForm(_bytes[start.._position])) return Stop(Difference.LongNumber);
        return FieldHints.Of(field).Range == Protos.Range.Whole || Holds(FieldHints.Of(field).Range, Signed(field, value)) || Stop(Difference.OutOfRange);
    }

    // Of 32 bits, as an int, whatever stands above them.
    private static long Signed(FieldDescriptor field, ulong value) => field.FieldType switch
    {
        FieldType.SInt32 => (int)((uint)value >> 1) ^ -(int)((uint)value & 1),
        FieldType.UInt32 or FieldType.Fixed32 => (uint)value,
        _ => (int)value,
    };

    private static bool Holds(Protos.Range range, long value) => range switch
    {
        Protos.Range.Signed8 => value == (sbyte)value,
        Protos.Range.Unsigned8 => value == (byte)value,
        Protos.Range.Signed16 => value == (short)value,
        _ => value == (ushort)value,
    };

    private static bool IsShortForm(ReadOnlySpan<byte> varint) =>
        varint.Length < 5 || (varint.Length == 5 && varint[4] < 0x10) || (varint.Length == 10 && varint[4] >= 0xf0 && varint[5..].SequenceEqual<byte>([0xff, 0xff, 0xff, 0xff, 0x01]));

    private bool Unknown(int number, WireType type, int end, int depth)
    {
        switch (type)
        {
            case WireType.StartGroup:
                return Message(null, end, depth + 1, number);
            case WireType.Bytes:
                if (!Length(end, isShort: false, out int fieldEnd)) return false;
                _position = fieldEnd;
                return true;
            default:
                return Raw(type, end, out _);
        }
    }

    private bool Raw(WireType type, int end, out ulong value)
    {
        value = 0;
        switch (type)
        {
            case WireType.Varint:
                return Varint(end, out value, out _);
            case WireType.Fixed32 when end - _position >= sizeof(uint):
                value = BinaryPrimitives.ReadUInt32LittleEndian(_bytes[_position..]);
                _position += sizeof(uint);
                return true;
            case WireType.Fixed64 when end - _position >= sizeof(ulong):
                value = BinaryPrimitives.ReadUInt64LittleEndian(_bytes[_position..]);
                _position += sizeof(ulong);
                return true;
            default:
                return false; // cut, or no wire type
        }
    }

    private bool Length(int end, bool isShort, out int behind)
    {
        behind = 0;
        if (!Varint(end, out ulong length, out int size)) return false;
        if ((isShort && size > 5) || length > int.MaxValue) return Stop(Difference.LongLength);
        behind = _position + (int)Math.Min(length, int.MaxValue - (uint)_position);
        return behind <= end;
    }

    private bool Varint(int end, out ulong value, out int size)
    {
        value = 0;
        for (size = 1; size <= 10 && _position < end; size++)
        {
            ulong next = _bytes[_position++];
            if (size == 10 && next is > 1 and < 0x80) return Stop(Difference.HugeNumber);
            value |= (next & 0x7f) << (7 * (size - 1));
            if (next < 0x80) return true;
        }

        return false;
    }

    private bool Stop(Difference difference)
    {
        _found |= difference;
        return false;
    }
}
