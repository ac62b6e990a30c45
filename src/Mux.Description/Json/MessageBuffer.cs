using System.Buffers.Binary;
using System.Numerics;

namespace Mux.Description.Json;

/// <summary>A message in the making. A length takes one byte until its content is there; longer ones move the content.</summary>
internal sealed class MessageBuffer(int limit)
{
    private const int Kept = 1 << 20;
    private const int MaxVarint = 10;

    private byte[] _bytes = new byte[1024];
    private int _length;

    public int Length => _length;

    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _length);

    public void Clear()
    {
        _length = 0;
        if (_bytes.Length > Kept) _bytes = new byte[1024];
    }

    /// <summary>Takes back what follows a place.</summary>
    public void Truncate(int length) => _length = length;

    public void WriteByte(byte value)
    {
        Room(1)[0] = value;
        Advance(1);
    }

    public void WriteVarint(ulong value)
    {
        var room = Room(MaxVarint);
        int size = 0;
        for (; value > 0x7F; value >>= 7) room[size++] = (byte)(value | 0x80);
        room[size++] = (byte)value;
        Advance(size);
    }

    public void WriteFixed32(uint value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(Room(sizeof(uint)), value);
        Advance(sizeof(uint));
    }

    public void WriteFixed64(ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(Room(sizeof(ulong)), value);
        Advance(sizeof(ulong));
    }

    /// <summary>Gets room for bytes; <see cref="Advance"/> adds them.</summary>
    public Span<byte> Room(int size)
    {
        if (_bytes.Length - _length < size) Array.Resize(ref _bytes, (int)Math.Max(_length + (long)size, Math.Min(2L * _bytes.Length, Array.MaxLength)));
        return _bytes.AsSpan(_length);
    }

    public void Advance(int size)
    {
        _length += size;
        if (_length > limit) JsonFault.Throw($"makes the message larger than allowed; allowed are {limit} bytes");
    }

    /// <summary>Begins content that has its length in front.</summary>
    public int Begin()
    {
        WriteByte(0);
        return _length;
    }

    public void End(int start)
    {
        int size = _length - start;
        int more = (31 - BitOperations.LeadingZeroCount((uint)size | 1)) / 7;
        if (more > 0)
        {
            Room(more);
            _bytes.AsSpan(start, size).CopyTo(_bytes.AsSpan(start + more));
        }

        int at = start - 1;
        uint rest = (uint)size;
        for (; rest > 0x7F; rest >>= 7) _bytes[at++] = (byte)(rest | 0x80);
        _bytes[at] = (byte)rest;
        Advance(more);
    }
}
