using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Mux.Description.Reading;

/// <summary>Throws the exceptions for descriptions that cannot be read.</summary>
internal static class DescriptionFault
{
    private const int ShownLength = 64;

    /// <param name="place">File, type or member; text of a peer must be quoted by <see cref="Quote"/>.</param>
    /// <param name="problem">The value and the allowed range.</param>
    [DoesNotReturn]
    public static void Throw(string place, string problem) => throw new InvalidDataException($"The description cannot be read: {place} {problem}.");

    /// <summary>Quotes a text of a peer: cut, and without characters that a terminal would obey.</summary>
    public static string Quote(string text)
    {
        var shown = new StringBuilder("'");
        for (int i = 0; i < text.Length && i < ShownLength; i++) shown.Append(text[i] is >= ' ' and <= '~' ? text[i] : '?');
        return shown.Append(text.Length > ShownLength ? "...'" : "'").ToString();
    }
}
