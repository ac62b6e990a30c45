using System.Buffers;
using System.Text.Json;

namespace Mux.Description.Json;

/// <summary>Paths of fields as JSON has them: one text, with commas between, and the names of JSON.</summary>
internal static class FieldMaskText
{
    private const uint PathTag = (1 << 3) | 2;

    public static void Write(Utf8JsonWriter json, ReadOnlySpan<byte> bytes)
    {
        var text = ArrayPool<byte>.Shared.Rent(bytes.Length);
        int length = 0;
        var scan = new WireScan(bytes);
        uint tag;
        while ((tag = scan.ReadTag()) != 0)
        {
            if (tag != PathTag)
            {
                scan.Skip(tag);
                continue;
            }

            if (length > 0) text[length++] = (byte)',';
            length += ToJson(scan.ReadBlock(tag), text.AsSpan(length));
        }

        json.WriteStringValue(text.AsSpan(0, length));
        ArrayPool<byte>.Shared.Return(text);
    }

    public static void Read(ReadOnlySpan<byte> text, MessageBuffer to)
    {
        while (!text.IsEmpty)
        {
            int comma = text.IndexOf((byte)',');
            var path = comma < 0 ? text : text[..comma];
            text = comma < 0 ? default : text[(comma + 1)..];
            if (path.IsEmpty || (comma >= 0 && text.IsEmpty)) Refuse(path);
            to.WriteVarint(PathTag);
            int start = to.Begin();
            foreach (byte c in path)
            {
                if (!IsAllowed(c) || c == '_') Refuse(path);
                if (char.IsAsciiLetterUpper((char)c)) to.WriteByte((byte)'_');
                to.WriteByte((byte)char.ToLowerInvariant((char)c));
            }

            to.End(start);
        }
    }

    private static int ToJson(ReadOnlySpan<byte> path, Span<byte> text)
    {
        int length = 0;
        for (int i = 0; i < path.Length; i++)
        {
            byte c = path[i];
            if (!IsAllowed(c) || char.IsAsciiLetterUpper((char)c)) Refuse(path);
            if (c == '_')
            {
                if (++i == path.Length || !char.IsAsciiLetterLower((char)path[i])) Refuse(path);
                c = (byte)(path[i] - 'a' + 'A');
            }

            text[length++] = c;
        }

        return length;
    }

    private static bool IsAllowed(byte c) => char.IsAsciiLetterOrDigit((char)c) || c is (byte)'_' or (byte)'.';

    private static void Refuse(ReadOnlySpan<byte> path) => JsonFault.Throw(
        $"is a field mask with the path {JsonPath.Quote(path)}; allowed are letters, digits and '.', in JSON without '_', in protobuf without capitals");
}
