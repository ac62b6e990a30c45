using System.Text;
using Mux.Description.Reading;

namespace Mux.Description.Json;

/// <summary>
/// Finds the name that was probably meant in place of an unknown one, and lists those that are known. A peer may choose all of
/// these names, so that what is compared has a limit.
/// </summary>
internal static class NearName
{
    /// <summary>Maximum number of wrong characters for a suggestion, and at most half of the name.</summary>
    private const int MaxDistance = 3;

    /// <summary>Maximum length of names that are compared.</summary>
    internal const int MaxLength = 64;

    /// <summary>Maximum number of names that are looked at: others are not suggested.</summary>
    internal const int MaxCandidates = 4_096;

    private const int MaxListed = 10;

    /// <summary>Gets the known name that was probably meant; null if none is near.</summary>
    /// <param name="given">The unknown name.</param>
    /// <param name="known">The known names.</param>
    /// <param name="prefix">Characters with which every name begins.</param>
    public static string? Find(string given, IEnumerable<string> known, int prefix = 0)
    {
        if (given.Length > MaxLength) return null;
        var nearest = known.Take(MaxCandidates)
            .Where(name => name.Length <= MaxLength && Math.Abs(name.Length - given.Length) <= MaxDistance)
            .Select(name => (Name: name, Distance: Distance(given, name)))
            .DefaultIfEmpty((Name: "", Distance: int.MaxValue)).MinBy(static name => name.Distance);
        return nearest.Distance <= Math.Min(MaxDistance, (nearest.Name.Length - prefix) / 2) ? nearest.Name : null;
    }

    /// <summary>Lists the first names, quoted as text of a peer, and the one that was probably meant.</summary>
    public static string Describe(string given, IReadOnlyCollection<string> known)
    {
        var text = new StringBuilder(string.Join(", ", known.Take(MaxListed).Select(static name => DescriptionFault.Quote(name)[1..^1])));
        if (known.Count > MaxListed) text.Append(", ...");
        if (Find(given, known) is { } near) text.Append("; did you mean ").Append(DescriptionFault.Quote(near)).Append('?');
        return text.ToString();
    }

    /// <summary>Gets the number of characters to insert, remove or replace to turn one text into the other.</summary>
    private static int Distance(string from, string to)
    {
        Span<int> row = stackalloc int[MaxLength + 1];
        for (int j = 0; j <= to.Length; j++) row[j] = j;
        for (int i = 1; i <= from.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.Length; j++)
            {
                int replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(replaced, Math.Min(row[j], row[j - 1]) + 1);
            }
        }

        return row[to.Length];
    }
}
