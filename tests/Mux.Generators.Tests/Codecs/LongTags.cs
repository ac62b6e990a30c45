namespace Mux.Generators.Tests.Codecs;

/// <summary>
/// Writes a message again with every tag in one byte more than it needs. It says the same, but nothing in it is read by the fast path, which
/// sees only the shortest form.
/// </summary>
internal static class LongTags
{
    private const int MaxTagSize = 5;

    /// <param name="bytes">A message, or anything else: from where it makes no sense on, it is copied as it is.</param>
    public static byte[] Of(ReadOnlySpan<byte> bytes)
    {
        var result = new List<byte>();
        while (TryTakeTag(ref bytes, result, out int wireType))
        {
            if (!TryTakeValue(ref bytes, result, wireType)) break;
        }

        result.AddRange(bytes);
        return [.. result];
    }

    private static bool TryTakeTag(ref ReadOnlySpan<byte> bytes, List<byte> result, out int wireType)
    {
        wireType = 0;
        int size = VarintSize(bytes);
        if (size is 0 or >= MaxTagSize || bytes[0] < 8) return false;
        wireType = bytes[0] & 7;
        result.AddRange(bytes[..(size - 1)]);
        result.Add((byte)(bytes[size - 1] | 0x80));
        result.Add(0);
        bytes = bytes[size..];
        return true;
    }

    private static bool TryTakeValue(ref ReadOnlySpan<byte> bytes, List<byte> result, int wireType)
    {
        int size = wireType switch
        {
            0 => VarintSize(bytes),
            1 => 8,
            2 when VarintSize(bytes) == 1 => 1 + bytes[0],
            3 or 4 => 0,
            5 => 4,
            _ => -1, // a longer length is nothing that the fast path sees; what follows it stays as it is
        };
        if (size < 0 || size > bytes.Length || (size == 0 && wireType == 0)) return false;
        result.AddRange(bytes[..size]);
        bytes = bytes[size..];
        return true;
    }

    // 0 if it does not end.
    private static int VarintSize(ReadOnlySpan<byte> bytes)
    {
        int end = bytes.IndexOfAnyInRange<byte>(0, 0x7f);
        return end is < 0 or >= 10 ? 0 : end + 1;
    }
}
