using System.Globalization;

namespace Mux.Core.Tests.Wire;

/// <summary>
/// Golden bytes, written by hand. A line holds bytes as pairs of hexadecimal digits, or a text in double quotes that stands for its UTF-8 bytes; <c>N x BB</c> is a byte N times.
/// A # begins a comment. A line <c>[name]</c> begins a section.
/// </summary>
internal static class HexFile
{
    /// <summary>The bytes of a whole file.</summary>
    public static byte[] Read(string file) => [.. Sections(file).SelectMany(section => section.Bytes)];

    /// <summary>The bytes of one section.</summary>
    public static byte[] Read(string file, string section) => Sections(file).Single(each => each.Name == section).Bytes;

    public static IEnumerable<(string Name, byte[] Bytes)> Sections(string file)
    {
        string name = string.Empty;
        var bytes = new List<byte>();
        foreach (string line in File.ReadLines(Path.Combine(AppContext.BaseDirectory, "Wire", "Vectors", file)))
        {
            string text = WithoutComment(line).Trim();
            if (text.StartsWith('['))
            {
                if (bytes.Count > 0) yield return (name, bytes.ToArray());
                name = text.Trim('[', ']');
                bytes.Clear();
            }
            else
            {
                bytes.AddRange(Parse(text));
            }
        }

        yield return (name, bytes.ToArray());
    }

    private static string WithoutComment(string line) => line.IndexOf('#') is var at and >= 0 ? line[..at] : line;

    private static byte[] Parse(string text)
    {
        if (text.StartsWith('"')) return System.Text.Encoding.UTF8.GetBytes(text.Trim('"'));
        var words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        if (words is [var count, "x", var repeated]) return [.. Enumerable.Repeat(Hex(repeated), int.Parse(count, CultureInfo.InvariantCulture))];
        return [.. words.Select(Hex)];
    }

    private static byte Hex(string pair) => byte.Parse(pair, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
}
