using System.Text;

namespace Mux.Generators.Describing;

/// <summary>Writes protobuf: descriptors, in the order of their fields.</summary>
internal sealed class DescriptorBuffer
{
    private readonly List<byte> _bytes = [];

    public int Length => _bytes.Count;

    /// <summary>Writes a number, also zero.</summary>
    public DescriptorBuffer Number(int field, ulong value)
    {
        Varint((ulong)field << 3);
        Varint(value);
        return this;
    }

    /// <summary>Writes a number of four bytes, unless it is zero.</summary>
    public DescriptorBuffer Fixed(int field, uint value)
    {
        if (value == 0) return this;
        Varint(((ulong)field << 3) | 5);
        for (int i = 0; i < 4; i++) _bytes.Add((byte)(value >> (8 * i)));
        return this;
    }

    /// <summary>Writes true; false is omitted.</summary>
    public DescriptorBuffer Flag(int field, bool value) => value ? Number(field, 1) : this;

    /// <summary>Writes a text, unless it is null.</summary>
    public DescriptorBuffer Text(int field, string? text) => text is null ? this : Bytes(field, Encoding.UTF8.GetBytes(text));

    /// <summary>Writes a message.</summary>
    public DescriptorBuffer Message(int field, DescriptorBuffer message) => Bytes(field, message._bytes);

    /// <summary>Writes a message, unless it is empty.</summary>
    public DescriptorBuffer Options(int field, DescriptorBuffer message) => message.Length == 0 ? this : Message(field, message);

    public EquatableArray<byte> ToArray() => new([.. _bytes]);

    private DescriptorBuffer Bytes(int field, ICollection<byte> bytes)
    {
        Varint(((ulong)field << 3) | 2);
        Varint((ulong)bytes.Count);
        _bytes.AddRange(bytes);
        return this;
    }

    private void Varint(ulong value)
    {
        for (; value > 0x7F; value >>= 7) _bytes.Add((byte)(value | 0x80));
        _bytes.Add((byte)value);
    }
}
