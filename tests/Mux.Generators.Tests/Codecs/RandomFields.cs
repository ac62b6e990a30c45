namespace Mux.Generators.Tests.Codecs;

/// <summary>Messages that nobody wrote, but made of fields: they get deeper into a codec than bytes that are random all over.</summary>
internal static class RandomFields
{
    private const int MaxNumber = 14;

    /// <summary>A row of fields, most of them known to most messages; some of the bytes are changed.</summary>
    public static byte[] Next(Random random, int depth)
    {
        var bytes = Fields(random, depth);
        if (bytes.Length > 0 && random.Next(8) == 0) bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
        return bytes;
    }

    /// <summary>A message in a message, outermost first: every length counts all that follows.</summary>
    public static byte[] Nested(byte[] tag, int depth, byte[]? inner = null)
    {
        var reversed = new List<byte>((inner ?? []).Reverse());
        for (int i = 0; i < depth; i++)
        {
            var prefix = new List<byte>(tag);
            Varint(prefix, (ulong)reversed.Count);
            prefix.Reverse();
            reversed.AddRange(prefix);
        }

        reversed.Reverse();
        return [.. reversed];
    }

    private static byte[] Fields(Random random, int depth)
    {
        var bytes = new List<byte>();
        for (int i = random.Next(6); i > 0; i--)
        {
            int number = random.Next(1, MaxNumber);
            int wireType = random.Next(20) switch { < 6 => 0, 6 => 1, < 16 => 2, < 19 => 3, _ => 5 };
            Varint(bytes, (ulong)((number << 3) | wireType));
            switch (wireType)
            {
                case 0:
                    Varint(bytes, random.Next(3) switch { 0 => (ulong)random.Next(3), 1 => (ulong)random.Next(), _ => unchecked((ulong)-random.Next(4)) });
                    break;
                case 1:
                    bytes.AddRange(new byte[8]);
                    break;
                case 2:
                    var content = depth > 0 ? Fields(random, depth - 1) : "ab"u8[..random.Next(3)].ToArray();
                    Varint(bytes, (ulong)content.Length);
                    bytes.AddRange(content);
                    break;
                case 3:
                    if (depth > 0) bytes.AddRange(Fields(random, depth - 1));
                    Varint(bytes, (ulong)((number << 3) | 4));
                    break;
                default:
                    bytes.AddRange([1, 0, 0, 0]);
                    break;
            }
        }

        return [.. bytes];
    }

    private static void Varint(List<byte> bytes, ulong value)
    {
        for (; value >= 0x80; value >>= 7) bytes.Add((byte)(value | 0x80));
        bytes.Add((byte)value);
    }
}
