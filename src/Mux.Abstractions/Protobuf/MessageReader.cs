using System.Buffers.Binary;
using System.ComponentModel;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>
/// Reads the fields of one protobuf message, for generated code. Each nested message has its own reader or cursor, which cannot reach beyond its end.
/// </summary>
/// <remarks>
/// It accepts and rejects the same bytes as protobuf-net: tags and 32-bit values in at most five bytes (ten for a negative value), 64-bit values in ten. Every
/// method throws <see cref="InvalidMessageException"/> for other bytes, with the message, the field and the offset.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct MessageReader
{
    /// <summary>Maximum nesting of messages and groups, including the outermost one: 256 KiB of stack easily hold them.</summary>
    public const int MaxDepth = IPayloadSerializer.MaxDepth;

    private readonly ReadOnlySpan<byte> _bytes;
    private readonly string _schema;
    private int _position;
    private uint _tag; // tag of the current field, for errors
    private MessageSurroundings _around;

    /// <summary>Starts to read an outermost message.</summary>
    /// <param name="bytes">The whole message.</param>
    /// <param name="schema">Names of the message and its fields for errors, as in <c>hr.Employee(Id,LastName)</c>.</param>
    public MessageReader(ReadOnlySpan<byte> bytes, string schema)
    {
        _bytes = bytes;
        _schema = schema;
    }

    private MessageReader(ReadOnlySpan<byte> bytes, string schema, scoped in MessageSurroundings around)
    {
        _bytes = bytes;
        _schema = schema;
        _around = around;
    }

    private readonly int Outermost => _around.Depth == 0 ? _bytes.Length : _around.Outermost;

    /// <summary>Number of bytes from the start of this message to the next byte to read.</summary>
    internal readonly int Position => _position;

    /// <summary>Bytes that are not read yet.</summary>
    internal readonly ReadOnlySpan<byte> Rest
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            // Never negative, so no check is needed: nothing moves beyond the end.
            Debug.Assert(_position <= _bytes.Length);
            return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref MemoryMarshal.GetReference(_bytes), _position), _bytes.Length - _position);
        }
    }

    /// <summary>Moves to where <paramref name="less"/> bytes are left. The cursor has read the fields before, so the last field is not known.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void MoveToEnd(int less)
    {
        Debug.Assert(less >= 0 && less <= _bytes.Length - _position);
        _position = _bytes.Length - less;
        _tag = 0;
    }

    /// <summary>Moves to the next field.</summary>
    /// <returns>Its tag (number times 8 plus wire type), or 0 at the end of the message.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadTag()
    {
        int position = _position;
        if ((uint)position >= (uint)_bytes.Length) return 0;
        uint first = _bytes[position];
        if (first - 8 >= 0x78) return ReadTagSlow(); // more than one byte, or field number 0
        _position = position + 1;
        return _tag = first;
    }

    /// <summary>Moves to the next field if it has the number of the last one, as further items of a list do.</summary>
    /// <param name="tag">The last tag; on success, the next one, whose wire type may differ.</param>
    /// <param name="isAlike">True if it must not differ.</param>
    public bool ReadNext(ref uint tag, bool isAlike = false)
    {
        int start = _position;
        uint next = ReadTag();
        if ((next ^ tag) < (isAlike ? 1u : 8u) && (next & 7) != (uint)WireType.EndGroup)
        {
            tag = next;
            return true;
        }

        _position = start;
        return false;
    }

    /// <summary>Reads a varint of up to 32 bits. A negative number, written in ten bytes, is cut to its lower 32 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadVarint32()
    {
        int position = _position;
        if ((uint)position < (uint)_bytes.Length)
        {
            uint first = _bytes[position];
            if (first < 0x80)
            {
                _position = position + 1;
                return first;
            }
        }

        return ReadVarint32Slow(negative: true);
    }

    /// <summary>Reads a varint of up to 64 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong ReadVarint64()
    {
        int position = _position;
        if ((uint)position < (uint)_bytes.Length)
        {
            uint first = _bytes[position];
            if (first < 0x80)
            {
                _position = position + 1;
                return first;
            }
        }

        return ReadVarint64Slow();
    }

    /// <summary>Reads four bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadFixed32()
    {
        int position = _position;
        if (_bytes.Length - position < sizeof(uint)) ThrowCut(sizeof(uint));
        _position = position + sizeof(uint);
        uint value = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref MemoryMarshal.GetReference(_bytes), position));
        return BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);
    }

    /// <summary>Reads eight bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong ReadFixed64()
    {
        int position = _position;
        if (_bytes.Length - position < sizeof(ulong)) ThrowCut(sizeof(ulong));
        _position = position + sizeof(ulong);
        ulong value = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref MemoryMarshal.GetReference(_bytes), position));
        return BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value);
    }

    /// <summary>Reads a length of at most 32 bits and the bytes it counts, which are all present.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ReadOnlySpan<byte> ReadBlock()
    {
        int position = _position;
        uint length = (uint)position < (uint)_bytes.Length ? _bytes[position] : 0x80u;
        if (length < 0x80) _position = ++position;
        else
        {
            length = ReadVarint32Slow(negative: false);
            position = _position;
        }

        if (length > (uint)(_bytes.Length - position)) ThrowLength(length);
        _position = position + (int)length;
        return MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref MemoryMarshal.GetReference(_bytes), position), (int)length);
    }

    /// <summary>Reads a length of at most 32 bits; the bytes that it counts are all present and come next.</summary>
    internal ReadOnlySpan<byte> PeekBlock()
    {
        var block = ReadBlock();
        _position -= block.Length;
        return block;
    }

    /// <summary>Moves past a value that was read from <see cref="Rest"/>.</summary>
    /// <param name="size">Size of the value; 0 if it was not read.</param>
    /// <returns>True if it was read.</returns>
    internal bool TryPass(int size)
    {
        Debug.Assert(size >= 0 && size <= _bytes.Length - _position);
        _position += size;
        return size != 0;
    }

    /// <summary>Starts to read the message in the current field; <see cref="Leave"/> ends it.</summary>
    /// <param name="tag">The tag of the field: length-delimited, or the start of a group.</param>
    /// <param name="schema">See the constructor.</param>
    /// <remarks>Not inlined: the wide registers that copy the reader are then clean before the message is read. Otherwise runtime calls are slow.</remarks>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public MessageReader Enter(uint tag, string schema)
    {
        if (_around.Depth + 1 >= MaxDepth) ThrowTooDeep();
        return Open(tag, schema, owner: 0);
    }

    /// <summary>
    /// Starts to read the message in which a value of the framework is written; <see cref="Leave"/> ends it. It contains no further message, so it does not
    /// count for the depth, and errors name the field with the value.
    /// </summary>
    /// <param name="tag">The tag of the field: length-delimited, or the start of a group.</param>
    internal MessageReader EnterValue(uint tag) => Open(tag, _schema, owner: tag);

    /// <summary>Moves to the next field of such a message.</summary>
    /// <returns>False at its end, which may be the end of a group.</returns>
    internal bool ReadPart(out uint tag)
    {
        tag = ReadTag();
        if ((tag & 7) != (uint)WireType.EndGroup) return tag != 0;
        return Skip(tag);
    }

    /// <summary>Starts to read a message for which an object is created.</summary>
    /// <param name="tag">The tag of the field: length-delimited, or the start of a group.</param>
    /// <param name="schema">See the constructor.</param>
    /// <param name="size">Size of the object in bytes, for which the message is charged.</param>
    public MessageReader Enter(uint tag, string schema, int size)
    {
        PayForMemory(size);
        return Enter(tag, schema);
    }

    /// <summary>Continues after a message that was read to its end.</summary>
    public void Leave(scoped in MessageReader child)
    {
        if (child._around.GroupEnd != 0) throw child.Fault($"the group of field {child._around.GroupEnd >> 3} has no end");
        _position = child._around.Origin + child._position - _around.Origin;
        CountOn(in child);
    }

    /// <summary>Charges memory of objects that the message creates.</summary>
    /// <param name="bytes">Approximate number of bytes.</param>
    /// <exception cref="InvalidMessageException">The objects of the message would take far more memory than its bytes.</exception>
    public void PayForMemory(long bytes)
    {
        if (!_around.Spent.TryMake(bytes) && !_around.Spent.PaysForMemory(Outermost)) ThrowTooMuch();
    }

    /// <summary>Charges memory of a nested message that is read without its own reader.</summary>
    /// <returns>False if it is nested too deep or takes too much; <see cref="Enter(uint, string, int)"/>, which follows, rejects it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryPayForMessage(int bytes) => _around.Depth < MaxDepth - 1 && (_around.Spent.TryMake(bytes) || _around.Spent.PaysForMemory(Outermost));

    /// <summary>Charges steps of hash tables; false if the keys of the message take far more than normal keys.</summary>
    internal bool TryStep(long steps) => _around.Spent.TryStep(steps, Outermost);

    /// <summary>Sets the field that errors name from now on: collected items are put together after the last field.</summary>
    internal void Blame(uint tag) => _tag = tag;

    /// <summary>Starts to read a missing value, as if its length were 0. <see cref="CountOn"/> ends it.</summary>
    /// <param name="tag">Tag of the missing field, with the wire type of a length.</param>
    public readonly MessageReader BeginMissing(uint tag)
    {
        var around = _around with { Origin = _around.Origin + _position, Outermost = Outermost, Depth = Math.Max(_around.Depth, 1), GroupEnd = 0 };
        return new MessageReader([0], _schema, around) { _tag = tag };
    }

    /// <summary>Continues to charge where another reader of the same message has stopped.</summary>
    public void CountOn(scoped in MessageReader other) => _around.Spent = other._around.Spent;

    /// <summary>Starts to read bytes outside the message: an object that was read and written again. Errors count offsets from their start.</summary>
    /// <param name="bytes">The bytes, at the depth of this reader. The message is charged for them as for a copy.</param>
    /// <param name="schema">See the constructor.</param>
    /// <exception cref="InvalidMessageException">The message makes the same bytes be copied too often.</exception>
    public MessageReader Reread(ReadOnlySpan<byte> bytes, string schema)
    {
        PayForCopy(bytes.Length);
        var around = new MessageSurroundings { Outermost = Outermost, Depth = _around.Depth, Spent = _around.Spent };
        return new MessageReader(bytes, schema, around);
    }

    /// <summary>Charges bytes that are copied because the message adds to a value that it gave before.</summary>
    /// <exception cref="InvalidMessageException">The message makes the same bytes be copied too often.</exception>
    public void PayForCopy(long bytes)
    {
        if (!_around.Spent.TryCopy(bytes, Outermost)) throw Fault("it repeats the same message so often that merging the repetitions would take too long");
    }

    /// <summary>Reads a length-delimited field that the message does not know.</summary>
    internal ReadOnlySpan<byte> ReadUnknownBlock()
    {
        int length = ReadLength();
        _position += length;
        return _bytes.Slice(_position - length, length);
    }

    /// <summary>Starts to read a group that the message does not know.</summary>
    internal MessageReader EnterUnknown(uint tag) => Enter(tag, _schema);

    /// <summary>Skips a field that the message does not know.</summary>
    /// <returns>False if it was the end of the group that this reader reads, which ends the message.</returns>
    public bool Skip(uint tag)
    {
        switch ((WireType)(tag & 7))
        {
            case WireType.Varint:
                ReadVarint64();
                return true;
            case WireType.Fixed64:
                ReadFixed64();
                return true;
            case WireType.Fixed32:
                ReadFixed32();
                return true;
            case WireType.Bytes:
                int length = ReadLength();
                _position += length;
                return true;
            case WireType.EndGroup:
                if (tag != _around.GroupEnd) throw Fault("this end of a group has no beginning");
                _around.GroupEnd = 0;
                return false;
            default:
                if (_around.Depth + 1 >= MaxDepth) ThrowTooDeep();
                var group = Open(tag, _schema, _around.Owner);
                while ((tag = group.ReadTag()) != 0 && group.Skip(tag))
                {
                }

                Leave(in group);
                return true;
        }
    }

    /// <summary>Rejects a field of a known number whose wire type its member cannot be read from.</summary>
    [DoesNotReturn]
    public readonly void ThrowWireType(uint tag)
    {
        var found = (WireType)(tag & 7);
        throw Fault(found <= WireType.Fixed32 ? $"it is written as {found}, which does not fit its type" : $"there is no wire type {tag & 7}");
    }

    /// <summary>Rejects an object whose class does not fit. The error does not name the class, which only this side may know.</summary>
    /// <param name="expected">Name of the class that would fit.</param>
    [DoesNotReturn]
    public void ThrowClass(string expected)
    {
        _tag = 0;
        throw Fault($"the message, or the object into which it is merged, is of another class: expected {expected}");
    }

    /// <summary>Rejects a message of an abstract class if no field says which derived class it is.</summary>
    [DoesNotReturn]
    public void ThrowAbstract()
    {
        _tag = 0;
        throw Fault("the class is abstract, and no field says which derived class the message is");
    }

    /// <summary>Rejects a number that the type of the field cannot hold.</summary>
    [DoesNotReturn]
    internal readonly void ThrowRange(string type) => throw Fault($"its value is out of the range of {type}");

    /// <summary>Rejects a value that the type of the field cannot hold for another reason, or items that are wrong only together.</summary>
    /// <param name="what">The error, as the end of a sentence.</param>
    [DoesNotReturn]
    internal readonly void ThrowValue(string what) => throw Fault(what);

    /// <summary>Rejects a packed block whose length is not a multiple of the item size.</summary>
    [DoesNotReturn]
    internal readonly void ThrowPacked() => throw Fault("its packed block ends within an item");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private MessageReader Open(uint tag, string schema, uint owner)
    {
        uint groupEnd = 0;
        int length = 0;
        switch ((WireType)(tag & 7))
        {
            case WireType.Bytes:
                length = ReadLength();
                break;
            case WireType.StartGroup:
                groupEnd = tag + 1;
                length = _bytes.Length - _position;
                break;
            default:
                ThrowWireType(tag);
                break;
        }

        var around = new MessageSurroundings
        {
            Origin = _around.Origin + _position,
            Outermost = Outermost,
            Depth = _around.Depth + 1,
            GroupEnd = groupEnd,
            Owner = owner,
            Spent = _around.Spent,
        };
        return new MessageReader(_bytes.Slice(_position, length), schema, around);
    }

    // The length of a message or an unknown field has up to ten bytes, unlike that of a string.
    private int ReadLength()
    {
        ulong length = ReadVarint64();
        if (length > (ulong)(_bytes.Length - _position)) ThrowLength(length);
        return (int)length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private uint ReadTagSlow()
    {
        _tag = 0;
        uint tag = ReadVarint32Slow(negative: false);
        _tag = tag;
        if (tag < 8) throw Fault("0 is not a field number");
        return tag;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private uint ReadVarint32Slow(bool negative)
    {
        uint value = 0;
        var rest = _bytes[_position..];
        for (int i = 0; i < rest.Length; i++)
        {
            uint next = rest[i];
            if (i < 4)
            {
                value |= (next & 0x7f) << (7 * i);
                if (next >= 0x80) continue;
                _position += i + 1;
                return value;
            }

            value |= next << 28;
            if (next < 0x10)
            {
                _position += 5;
                return value;
            }

            // The upper half of a negative number: 64 bits less 32, all ones.
            if (negative && next >= 0xf0 && rest.Length >= 10 && rest[5..10].SequenceEqual<byte>([0xff, 0xff, 0xff, 0xff, 0x01]))
            {
                _position += 10;
                return value;
            }

            throw Fault("a 32-bit number is larger than 32 bits or written in more than five bytes");
        }

        ThrowCut(rest.Length + 1);
        return 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ulong ReadVarint64Slow()
    {
        ulong value = 0;
        var rest = _bytes[_position..];
        for (int i = 0; i < rest.Length; i++)
        {
            ulong next = rest[i];
            if (i == 9 && next > 1) throw Fault("a number is larger than 64 bits");
            value |= (next & 0x7f) << (7 * i);
            if (next >= 0x80) continue;
            _position += i + 1;
            return value;
        }

        ThrowCut(rest.Length + 1);
        return 0;
    }

    [DoesNotReturn]
    private readonly void ThrowCut(int needed) => throw Fault($"the message ends within it: {needed} bytes are needed and {_bytes.Length - _position} left");

    [DoesNotReturn]
    private readonly void ThrowLength(ulong length) => throw Fault($"its length says {length} bytes and {_bytes.Length - _position} are left");

    [DoesNotReturn]
    private readonly void ThrowTooDeep() => throw Fault($"messages are nested more than {MaxDepth} deep");

    [DoesNotReturn]
    private readonly void ThrowTooMuch() =>
        throw Fault($"the objects of the message would take more than {DecodeBudget.MemoryPerByte} times its {Outermost} bytes and " +
            $"{DecodeBudget.FreeMemory} more");

    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly InvalidMessageException Fault(string what)
    {
        Debug.Assert(_position <= _bytes.Length);
        var (field, part) = _around.Owner == 0 ? (_tag, string.Empty) : (_around.Owner, $"part {_tag >> 3} of its value: ");
        return new InvalidMessageException($"{SchemaText.Locate(_schema, field >> 3)}, byte {_around.Origin + _position}: {part}{what}.");
    }
}
