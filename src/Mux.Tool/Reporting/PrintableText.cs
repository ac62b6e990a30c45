namespace Mux.Tool.Reporting;

/// <summary>
/// Text of a peer or a file that is safe to print: its control characters could move the cursor of a terminal, rewrite lines, or set the title of the window.
/// </summary>
internal static class PrintableText
{
    /// <summary>Gets one line with a question mark in place of each control character, line ends included.</summary>
    public static string Of(string text) => text.Any(char.IsControl)
        ? string.Create(text.Length, text, static (characters, from) =>
        {
            for (int i = 0; i < from.Length; i++) characters[i] = char.IsControl(from[i]) ? '?' : from[i];
        })
        : text;

    /// <summary>Like <see cref="Of"/>, for text whose lines stay lines.</summary>
    public static string OfLines(string text) => string.Join(Environment.NewLine, text.ReplaceLineEndings("\n").Split('\n').Select(Of));
}
