namespace Mux.Configuration;

/// <summary>Finds the name that was probably meant, by the number of wrong, missing and extra letters; case is ignored.</summary>
internal static class EditDistance
{
    /// <summary>Gets the nearest candidate, or null if none is within two edits.</summary>
    public static string? Nearest(string text, IEnumerable<string> candidates) =>
        candidates.Select(candidate => (Candidate: candidate, Distance: Between(text, candidate))).Where(pair => pair.Distance <= 2)
            .OrderBy(pair => pair.Distance).FirstOrDefault().Candidate;

    /// <summary>Computes the Levenshtein distance, one row at a time.</summary>
    private static int Between(string left, string right)
    {
        var row = Enumerable.Range(0, right.Length + 1).ToArray();
        for (int i = 1; i <= left.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= right.Length; j++)
            {
                int replaced = diagonal + (char.ToUpperInvariant(left[i - 1]) == char.ToUpperInvariant(right[j - 1]) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(replaced, 1 + Math.Min(row[j], row[j - 1]));
            }
        }

        return row[right.Length];
    }
}
