using System.Text;
using System.Text.Unicode;

namespace Mux.Wire;

/// <summary>Text of bounded size inside frames: cut at whole characters when written, never trusted to be UTF-8 when read.</summary>
internal static class Utf8Text
{
    /// <summary>Writes as much of the text as fits.</summary>
    /// <returns>Bytes written.</returns>
    public static int WriteCut(Span<byte> to, string text)
    {
        _ = Utf8.FromUtf16(text, to, out _, out int written, replaceInvalidSequences: true);
        return written;
    }

    /// <summary>Reads at most <paramref name="maxBytes"/>; what is no UTF-8 becomes U+FFFD.</summary>
    public static string Read(ReadOnlySpan<byte> from, int maxBytes) => Encoding.UTF8.GetString(from.Length <= maxBytes ? from : from[..maxBytes]);
}
