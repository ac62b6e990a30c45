using System.Text;

namespace Mux.Tool.Reporting;

/// <summary>Text broken into lines.</summary>
internal static class TextLines
{
    /// <summary>Breaks at spaces, after a head in the first line that indents the others.</summary>
    public static IEnumerable<string> Wrap(string head, string text, int width)
    {
        var left = head;
        foreach (var line in Wrap(text, width - head.Length))
        {
            yield return left + line;
            left = new string(' ', head.Length);
        }
    }

    /// <summary>Breaks at spaces; a longer word stays whole.</summary>
    public static IEnumerable<string> Wrap(string text, int width)
    {
        var line = new StringBuilder();
        foreach (var word in text.Split(' '))
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > width)
            {
                yield return line.ToString();
                line.Clear();
            }

            if (line.Length > 0) line.Append(' ');
            line.Append(word);
        }

        yield return line.ToString();
    }
}
