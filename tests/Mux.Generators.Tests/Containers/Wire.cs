namespace Mux.Generators.Tests.Containers;

/// <summary>Bytes of messages, written by hand.</summary>
internal sealed class Wire
{
    private readonly MemoryStream _bytes = new();

    public int Length => (int)_bytes.Length;

    public Wire Number(int field, long value)
    {
        Varint((ulong)field << 3);
        return Varint((ulong)value);
    }

    public Wire Message(int field, Wire content) => Block(field, content._bytes.ToArray());

    public Wire Block(int field, byte[] content)
    {
        Varint(((ulong)field << 3) | 2);
        Varint((ulong)content.Length);
        _bytes.Write(content);
        return this;
    }

    public Wire Varint(ulong value)
    {
        for (; value >= 0x80; value >>= 7) _bytes.WriteByte((byte)(value | 0x80));
        _bytes.WriteByte((byte)value);
        return this;
    }

    public byte[] ToArray() => _bytes.ToArray();

    /// <summary>The same bytes again and again, up to a length.</summary>
    public static byte[] Repeated(string hex, int length)
    {
        var one = Convert.FromHexString(hex);
        var all = new byte[length / one.Length * one.Length];
        for (int i = 0; i < all.Length; i++) all[i] = one[i % one.Length];
        return all;
    }
}
