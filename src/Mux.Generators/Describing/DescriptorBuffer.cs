using System.Globalization;
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

    /// <summary>
    /// Gets the bytes as a C# expression of type ReadOnlySpan of byte, which the compiler places in the data of the assembly. A literal is a quarter of the
    /// length, but holds UTF-8 only.
    /// </summary>
    public string ToLiteral()
    {
        var text = new StringBuilder(Length * 2);
        if (_bytes.Exists(static value => value > 0x7F))
        {
            text.Append("new byte[] { ");
            for (int i = 0; i < _bytes.Count; i++) text.Append(i == 0 ? string.Empty : ", ").Append(_bytes[i]);
            return text.Append(" }").ToString();
        }

        text.Append('"');
        foreach (byte value in _bytes) Escape(text, (char)value);
        return text.Append("\"u8").ToString();
    }

    private static void Escape(StringBuilder text, char c)
    {
        if (c is '"' or '\\') text.Append('\\').Append(c);
        else if (c is >= ' ' and <= '~') text.Append(c);
        else if (c is >= '\a' and <= '\r') text.Append('\\').Append("abtnvfr"[c - '\a']);
        else text.Append("\\u00").Append(((int)c).ToString("X2", CultureInfo.InvariantCulture));
    }

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
