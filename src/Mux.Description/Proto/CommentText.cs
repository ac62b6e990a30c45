using System.Text;

namespace Mux.Description.Proto;

/// <summary>
/// Comments as this model has them: lines without marks, and without characters that end a line or a comment elsewhere, as a line separator does in C#.
/// </summary>
internal static class CommentText
{
    /// <summary>Gets a line without the space after its mark and without those at its end.</summary>
    public static string Line(string line)
    {
        var kept = line.TrimEnd();
        if (kept.Length > 0 && kept[0] == ' ') kept = kept.Substring(1);
        if (!kept.Any(IsForbidden)) return kept;
        var text = new StringBuilder(kept.Length);
        foreach (char character in kept) text.Append(IsForbidden(character) ? ' ' : character);
        return text.ToString();
    }

    /// <summary>Reads a comment of a descriptor.</summary>
    /// <returns>The lines; null for a comment without words.</returns>
    public static string? FromDescriptor(string comment) => Join(comment.Split('\n').Select(Line).ToList());

    /// <summary>Makes a comment of lines, without empty ones at begin and end.</summary>
    /// <returns>The comment; null if all lines are empty.</returns>
    public static string? Join(List<string> lines)
    {
        int last = lines.FindLastIndex(static line => line.Length > 0);
        int first = lines.FindIndex(static line => line.Length > 0);
        return first < 0 ? null : string.Join("\n", lines.GetRange(first, last + 1 - first));
    }

    /// <summary>Writes a comment as protoc does: a space before each line, and an end after it.</summary>
    public static string ToDescriptor(string comment) =>
        string.Concat(comment.Split('\n').Select(static line => line.Length == 0 ? "\n" : $" {line}\n"));

    public static int CountLines(string comment) => comment.Count(static character => character == '\n') + 1;

    private static bool IsForbidden(char character) => (char.IsControl(character) && character != '\t') || character is '\u2028' or '\u2029';
}
