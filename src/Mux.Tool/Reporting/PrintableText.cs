using System.Globalization;
using System.Text;

namespace Mux.Tool.Reporting;

/// <summary>
/// Text of a peer or a file that is safe to print: its control characters could move the cursor of a terminal, rewrite
/// lines, turn the order of characters around, or set the title of the window.
/// </summary>
internal static class PrintableText
{
    private const int NonJoiner = 0x200C, Joiner = 0x200D; // of words in some scripts, and of emoji

    /// <summary>Gets one line with a question mark in place of each control character, line ends included.</summary>
    public static string Of(string text)
    {
        if (text.EnumerateRunes().All(IsPrintable) && !text.Contains('\uFFFD', StringComparison.Ordinal)) return text;
        var shown = new StringBuilder(text.Length);
        foreach (var rune in text.EnumerateRunes()) shown.Append(IsPrintable(rune) ? rune.ToString() : "?");
        return shown.ToString();
    }

    /// <summary>Like <see cref="Of"/>, for text whose lines stay lines.</summary>
    public static string OfLines(string text) =>
        string.Join(Environment.NewLine, text.ReplaceLineEndings("\n").Split('\n').Select(Of));

    /// <summary>
    /// Gets a value indicating whether a character shows itself and changes nothing else: no control, and none that
    /// turns the direction of text.
    /// </summary>
    public static bool IsPrintable(Rune character) =>
        character.Value is NonJoiner or Joiner || Rune.GetUnicodeCategory(character) is not (
            UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator);
}
