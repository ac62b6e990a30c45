using System.Text;

namespace Mux.Description.Proto.Descriptors;

/// <summary>Writes the fields of one message of a descriptor.</summary>
internal sealed class WireWriter
{
    private readonly List<byte> _bytes = [];

    public bool IsEmpty => _bytes.Count == 0;

    public byte[] ToArray() => [.. _bytes];

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
        for (int i = 0; i < 4; i++) _bytes.Add((byte)(value >> (8 * i)));
        return this;
    }

    /// <summary>Writes true; false is omitted.</summary>
    public WireWriter Flag(int field, bool value) => value ? Number(field, 1) : this;

    /// <summary>Writes a text, unless it is null.</summary>
    public WireWriter Text(int field, string? text) => text is null ? this : Bytes(field, Encoding.UTF8.GetBytes(text));

    public WireWriter Message(int field, WireWriter message)
    {
        Start(field, message._bytes.Count);
        _bytes.AddRange(message._bytes);
        return this;
    }

    /// <summary>Writes a message, unless it is empty.</summary>
    public WireWriter Options(int field, WireWriter message) => message.IsEmpty ? this : Message(field, message);

    public WireWriter Bytes(int field, ReadOnlySpan<byte> bytes)
    {
        Start(field, bytes.Length);
        foreach (byte value in bytes) _bytes.Add(value);
        return this;
    }

    /// <summary>Writes numbers as one block.</summary>
    public WireWriter Packed(int field, List<int> values)
    {
        var block = new WireWriter();
        foreach (int value in values) block.Varint(unchecked((ulong)value));
        return Message(field, block);
    }

    private void Start(int field, int length)
    {
        Varint(((ulong)field << 3) | 2);
        Varint((ulong)length);
    }

    private void Varint(ulong value)
    {
        for (; value > 0x7F; value >>= 7) _bytes.Add((byte)(value | 0x80));
        _bytes.Add((byte)value);
    }
}
