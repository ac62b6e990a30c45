using System.Buffers;
using System.Text;

namespace Mux.Description.Joining;

/// <summary>Writes the fields of one message of a descriptor.</summary>
internal sealed class WireWriter
{
    private readonly ArrayBufferWriter<byte> _bytes = new();

    public byte[] ToArray() => _bytes.WrittenSpan.ToArray();

    public WireWriter Number(int field, int value)
    {
        Varint((uint)field << 3);
        Varint((uint)value);
        return this;
    }

    public WireWriter Text(int field, string text) => Bytes(field, Encoding.UTF8.GetBytes(text));

    public WireWriter Message(int field, WireWriter message) => Bytes(field, message._bytes.WrittenSpan);

    public WireWriter Bytes(int field, ReadOnlySpan<byte> bytes)
    {
        Varint(((uint)field << 3) | 2);
        Varint((uint)bytes.Length);
        _bytes.Write(bytes);
        return this;
    }

    private void Varint(uint value)
    {
        for (; value > 0x7F; value >>= 7) _bytes.Write([(byte)(value | 0x80)]);
        _bytes.Write([(byte)value]);
    }
}
