using System.Buffers;
using System.Buffers.Binary;
using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>
/// Collects the fields that a message does not know, for generated code, and hands them over together after the last field: so they are stored once. Grows with
/// the bytes that are present, in pooled memory. Lives on the stack of one thread.
/// </summary>
/// <remarks>If decoding fails, the pooled memory is left to the garbage collector.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct UnknownFieldBuffer
{
    private const int MaxVarintSize = 10;
    private const int FirstSize = 64;

    private byte[]? _bytes;
    private int _count;

    /// <summary>Gets a value indicating whether there are no fields.</summary>
    public readonly bool IsEmpty => _count == 0;

    /// <summary>Gets the fields in order, with numbers and tags in their shortest form. Valid until <see cref="Return"/>.</summary>
    public readonly ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _count);

    /// <summary>Adds a field that the message does not know.</summary>
    /// <returns>False if it was the end of the group that the reader reads, which ends the message.</returns>
    /// <exception cref="InvalidMessageException">The field is incomplete or not a field, or groups are nested too deep.</exception>
    public bool Keep(scoped ref MessageReader reader, uint tag)
    {
        switch ((WireType)(tag & 7))
        {
            case WireType.Varint:
                ulong number = reader.ReadVarint64();
                WriteVarint(tag);
                WriteVarint(number);
                return true;
            case WireType.Fixed64:
                ulong eight = reader.ReadFixed64();
                WriteVarint(tag);
                BinaryPrimitives.WriteUInt64LittleEndian(Extend(sizeof(ulong)), eight);
                return true;
            case WireType.Fixed32:
                uint four = reader.ReadFixed32();
                WriteVarint(tag);
                BinaryPrimitives.WriteUInt32LittleEndian(Extend(sizeof(uint)), four);
                return true;
            case WireType.Bytes:
                var block = reader.ReadUnknownBlock();
                WriteVarint(tag);
                WriteVarint((uint)block.Length);
                block.CopyTo(Extend(block.Length));
                return true;
            case WireType.StartGroup:
                KeepGroup(ref reader, tag);
                return true;
            default:
                return reader.Skip(tag); // ends a group, or rejects the field
        }
    }

    /// <summary>Returns the pooled memory.</summary>
    public void Return()
    {
        if (_bytes is null) return;
        ArrayPool<byte>.Shared.Return(_bytes);
        _bytes = null;
        _count = 0;
    }

    private void KeepGroup(scoped ref MessageReader reader, uint tag)
    {
        WriteVarint(tag);
        var group = reader.EnterUnknown(tag);
        uint next;
        while ((next = group.ReadTag()) != 0 && Keep(ref group, next))
        {
        }

        reader.Leave(in group);
        WriteVarint(tag + 1);
    }

    private void WriteVarint(ulong value)
    {
        var room = Extend(MaxVarintSize);
        int size = 0;
        for (; value >= 0x80; value >>= 7) room[size++] = (byte)(value | 0x80);
        room[size++] = (byte)value;
        _count -= MaxVarintSize - size;
    }

    private Span<byte> Extend(int count)
    {
        if (_bytes is null || count > _bytes.Length - _count) Grow(count);
        var room = _bytes.AsSpan(_count, count);
        _count += count;
        return room;
    }

    private void Grow(int count)
    {
        var larger = ArrayPool<byte>.Shared.Rent(BufferGrowth.Next(_count, count, FirstSize));
        if (_bytes is not null)
        {
            Bytes.CopyTo(larger);
            ArrayPool<byte>.Shared.Return(_bytes);
        }

        _bytes = larger;
    }
}
