using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace Mux.Protocol;

/// <summary>Text of bounded size inside frames: truncated at whole characters when written, not trusted to be UTF-8 when read.</summary>
internal static class Utf8Text
{
    private const char Replacement = '\uFFFD';

    // C0, DEL, C1 and the two Unicode line separators: characters that could start a line in a log or control a terminal.
    private static readonly SearchValues<char> s_controls = SearchValues.Create(
        [.. Enumerable.Range(0, 0x20).Concat(Enumerable.Range(0x7F, 0x21)).Select(static code => (char)code), '\u2028', '\u2029']);

    /// <summary>Writes as much of the text as fits.</summary>
    /// <returns>Number of bytes written.</returns>
    public static int WriteCut(Span<byte> to, string text)
    {
        _ = Utf8.FromUtf16(text, to, out _, out int written, replaceInvalidSequences: true);
        return written;
    }

    /// <summary>
    /// Reads at most <paramref name="maxBytes"/>. Replaces invalid UTF-8, control characters and line separators by U+FFFD, because the text goes into logs and
    /// errors.
    /// </summary>
    public static string Read(ReadOnlySpan<byte> from, int maxBytes)
    {
        var text = Encoding.UTF8.GetString(from.Length <= maxBytes ? from : from[..maxBytes]);
        return text.AsSpan().ContainsAny(s_controls)
            ? string.Create(text.Length, text, static (to, source) => source.AsSpan().ReplaceAny(to, s_controls, Replacement))
            : text;
    }
}
