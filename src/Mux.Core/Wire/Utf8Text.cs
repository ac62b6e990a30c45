using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace Mux.Wire;

/// <summary>Text of bounded size inside frames: cut at whole characters when written, never trusted to be UTF-8 when read.</summary>
internal static class Utf8Text
{
    private const char Replacement = '\uFFFD';

    // C0, DEL, C1 and the two separators of lines that are neither: whatever could begin a line of a log or steer a terminal.
    private static readonly SearchValues<char> s_controls = SearchValues.Create(
        [.. Enumerable.Range(0, 0x20).Concat(Enumerable.Range(0x7F, 0x21)).Select(static code => (char)code), '\u2028', '\u2029']);

    /// <summary>Writes as much of the text as fits.</summary>
    /// <returns>Bytes written.</returns>
    public static int WriteCut(Span<byte> to, string text)
    {
        _ = Utf8.FromUtf16(text, to, out _, out int written, replaceInvalidSequences: true);
        return written;
    }

    /// <summary>
    /// Reads at most <paramref name="maxBytes"/>. What is no UTF-8 becomes U+FFFD, and so does each control character and line separator: the text goes into
    /// logs and errors.
    /// </summary>
    public static string Read(ReadOnlySpan<byte> from, int maxBytes)
    {
        var text = Encoding.UTF8.GetString(from.Length <= maxBytes ? from : from[..maxBytes]);
        return text.AsSpan().ContainsAny(s_controls)
            ? string.Create(text.Length, text, static (to, source) => source.AsSpan().ReplaceAny(to, s_controls, Replacement))
            : text;
    }
}
