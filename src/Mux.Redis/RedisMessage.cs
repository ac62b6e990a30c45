using System.Buffers.Text;
using Mux.Backplanes;
using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>Messages as they are in Redis: the number in digits, a space, and the bytes. A mark is <c>look</c>, a space, and the asker.</summary>
internal static class RedisMessage
{
    private static ReadOnlySpan<byte> MarkBegin => "look "u8;

    /// <summary>The number of a message that has none.</summary>
    private static ReadOnlySpan<byte> Unnumbered => "0 "u8;

    public static byte[] Unnumber(ReadOnlySpan<byte> body) => [.. Unnumbered, .. body];

    public static byte[] Mark(Guid asked) => [.. MarkBegin, .. asked.ToByteArray()];

    /// <summary>Gets the asker, if it is a mark.</summary>
    public static bool TryReadMark(RedisValue value, out Guid asked)
    {
        asked = default;
        ReadOnlySpan<byte> bytes = ((ReadOnlyMemory<byte>)value).Span;
        if (!bytes.StartsWith(MarkBegin) || bytes.Length != MarkBegin.Length + 16) return false;
        asked = new Guid(bytes[MarkBegin.Length..]);
        return true;
    }

    public static bool TryRead(RedisValue value, out BackplaneMessage message)
    {
        ReadOnlyMemory<byte> bytes = value;
        message = default;
        if (!Utf8Parser.TryParse(bytes.Span, out long number, out int length) || number < 0) return false;
        if (length == bytes.Length || bytes.Span[length] != ' ') return false;
        message = new BackplaneMessage(number, bytes[(length + 1)..]);
        return true;
    }
}
