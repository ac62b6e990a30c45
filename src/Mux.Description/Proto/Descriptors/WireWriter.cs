using System.Text;

namespace Mux.Description.Proto.Descriptors;

/// <summary>Writes the fields of one message of a descriptor.</summary>
/// <param name="capacity">Number of bytes for which there is room at the beginning.</param>
internal sealed class WireWriter(int capacity = 0)
{
    private byte[] _bytes = capacity == 0 ? [] : new byte[capacity];
    private int _count;

    public bool IsEmpty => _count == 0;

    public byte[] ToArray() => _bytes.AsSpan(0, _count).ToArray();

    public WireWriter Number(int field, int value)
    {
        Varint((ulong)field << 3);
        Varint(unchecked((ulong)value)); // a negative number takes ten bytes
        return this;
    }

    /// <summary>Writes a number of four bytes, unless it is zero.</summary>
    public WireWriter Fixed(int field, uint value)
    {
        if (value == 0) return this;
        Varint(((ulong)field << 3) | 5);
        for (int i = 0; i < 4; i++) Add((byte)(value >> (8 * i)));
        return this;
    }

    /// <summary>Writes true; false is omitted.</summary>
    public WireWriter Flag(int field, bool value) => value ? Number(field, 1) : this;

    /// <summary>Writes a text, unless it is null.</summary>
    public WireWriter Text(int field, string? text)
    {
        if (text is null) return this;
        Start(field, Encoding.UTF8.GetByteCount(text));
        _count += Encoding.UTF8.GetBytes(text, 0, text.Length, _bytes, _count);
        return this;
    }

    public WireWriter Message(int field, WireWriter message) => Bytes(field, message._bytes.AsSpan(0, message._count));

    /// <summary>Writes a message, unless it is empty.</summary>
    public WireWriter Options(int field, WireWriter message) => message.IsEmpty ? this : Message(field, message);

    public WireWriter Bytes(int field, ReadOnlySpan<byte> bytes)
    {
        Start(field, bytes.Length);
        bytes.CopyTo(_bytes.AsSpan(_count));
        _count += bytes.Length;
        return this;
    }

    /// <summary>Writes numbers as one block.</summary>
    public WireWriter Packed(int field, List<int> values)
    {
        var block = new WireWriter();
        foreach (int value in values) block.Varint(unchecked((ulong)value));
        return Message(field, block);
    }

    // Makes room for the content, too.
    private void Start(int field, int length)
    {
        Varint(((ulong)field << 3) | 2);
        Varint((ulong)length);
        Grow(length);
    }

    private void Varint(ulong value)
    {
        for (; value > 0x7F; value >>= 7) Add((byte)(value | 0x80));
        Add((byte)value);
    }

    private void Add(byte value)
    {
        Grow(1);
        _bytes[_count++] = value;
    }

    private void Grow(int more)
    {
        if (_count + more > _bytes.Length) Array.Resize(ref _bytes, Math.Max(_count + more, Math.Max(2 * _bytes.Length, 16)));
    }
}
