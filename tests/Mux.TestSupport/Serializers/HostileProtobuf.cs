namespace Mux.TestSupport.Serializers;

/// <summary>
/// Bytes that are no specimen in protobuf: 1 number, 2 real, 3 flag, 4 text, 5 bytes, 6 grade, 7 numbers, 8 words, 9 inner, 10 items, 11 maybe. What all libraries refuse; in what they take as
/// unknown fields they differ.
/// </summary>
public static class HostileProtobuf
{
    private const byte Inner = 9 << 3 | 2;

    public static IReadOnlyDictionary<string, byte[]> All { get; } = new Dictionary<string, byte[]>
    {
        ["the field number 0"] = [0x00, 0x01],
        ["the wire type 6"] = [0x0e, 0x01],
        ["the wire type 7"] = [0x0f, 0x01],
        ["a number of eleven bytes"] = [0x08, .. Enumerable.Repeat((byte)0xff, 10), 0x01],
        ["a number without its end"] = [0x08, 0xff],
        ["a real without its end"] = [0x11, 1, 2, 3],
        ["a text of 512 MiB"] = [0x22, 0x80, 0x80, 0x80, 0x80, 0x02, 1, 2, 3, 4],
        ["bytes of 512 MiB"] = [0x2a, 0x80, 0x80, 0x80, 0x80, 0x02, 1, 2, 3, 4],
        ["bytes of a negative length"] = [0x2a, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2, 3, 4],
        ["packed numbers of 512 MiB"] = [0x3a, 0x80, 0x80, 0x80, 0x80, 0x02, 1, 2, 3, 4],
        ["a message of 512 MiB"] = [0x4a, 0x80, 0x80, 0x80, 0x80, 0x02, 1, 2, 3, 4],
        ["an unknown field of 512 MiB"] = [0x7a, 0x80, 0x80, 0x80, 0x80, 0x02, 1, 2, 3, 4],
        ["packed numbers that end in an item"] = [0x3a, 0x02, 0x01, 0x80],
        ["a message that goes on behind its end"] = [0x4a, 0x02, 0x08, 0x80],
        ["a million groups that begin"] = [.. Enumerable.Repeat((byte)0x7b, 1_000_000)],
        ["a text whose length of 165 MiB runs over the end of its message"] = [0x4a, 0x04, 0x22, 0xc5, 0xcf, 0xc0, 0x52, 1, 2, 3, 4],
        ["bytes whose length of 165 MiB runs over the end of their message"] = [0x4a, 0x04, 0x2a, 0xc5, 0xcf, 0xc0, 0x52, 1, 2, 3, 4],
        ["packed numbers whose length of 165 MiB runs over the end of their message"] = [0x4a, 0x04, 0x3a, 0xc5, 0xcf, 0xc0, 0x52, 1, 2, 3, 4],
        ["a group without its end"] = [0x7b, 0x08, 0x01],
        ["the end of another group"] = [0x7b, 0x84, 0x01],
        ["the end of no group"] = [0x08, 0x01, 0x7c],
        ["deeper than messages may be"] = Nested(Specimens.MaxDepth + 1),
        ["a thousand deep"] = Nested(1000),
    };

    /// <summary>So many messages in one another.</summary>
    public static byte[] Nested(int depth)
    {
        byte[] message = [0x08, 0x01];
        for (int i = 1; i < depth; i++) message = [Inner, .. Varint(message.Length), .. message];
        return message;
    }

    private static IEnumerable<byte> Varint(int value)
    {
        for (; value >= 0x80; value >>= 7) yield return (byte)(value | 0x80);
        yield return (byte)value;
    }
}
