using System.Buffers;
using System.Buffers.Binary;
using System.ComponentModel;

namespace Mux.Serialization;

/// <summary>
/// Collects the fields that a message does not know, for generated code, and hands them over together behind the last field: where they are kept is told once.
/// Grows with the bytes that are really there, in pooled memory. Lives on the stack of one thread.
/// </summary>
/// <remarks>If decoding fails in between, the pooled memory is left to the garbage collector.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct UnknownFieldBuffer
{
    private const int MaxVarintSize = 10;
    private const int FirstSize = 64;

    private byte[]? _bytes;
    private int _count;

    /// <summary>Whether nothing was taken.</summary>
    public readonly bool IsEmpty => _count == 0;

    /// <summary>What was taken: fields in their order, numbers and tags in their shortest form. Valid until <see cref="Return"/>.</summary>
    public readonly ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _count);

    /// <summary>Takes a field that the message does not know.</summary>
    /// <returns>False if this was the end of the group that the reader reads, and with it the end of the message.</returns>
    /// <exception cref="InvalidMessageException">The field is no field, is cut, or groups stand too deep in one another.</exception>
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
                return reader.Skip(tag); // the end of a group, or refused
        }
    }

    /// <summary>Gives the pooled memory back.</summary>
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
