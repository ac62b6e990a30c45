namespace Mux.Description.Proto.Comparing;

/// <summary>A file in the folder of contracts.</summary>
/// <param name="Name">The path by which other files import it.</param>
/// <param name="Text">Its content.</param>
internal sealed record RecordedFile(string Name, string Text)
{
    /// <summary>The first comment of a file that was recorded, by which it is known among files of others.</summary>
    public const string Mark = "Recorded by Mux";

    /// <summary>
    /// Gets a value indicating whether it records contracts of this project: the comment at its beginning says so. Others, such as those which another team
    /// exports, are read only where such a file imports them, and are never written or deleted.
    /// </summary>
    public bool IsOwn
    {
        get
        {
            foreach (var line in Text.Split('\n').Select(static line => line.Trim()))
            {
                if (line.Length > 0 && !line.StartsWith("//", StringComparison.Ordinal)) return false;
                if (line.Contains(Mark, StringComparison.Ordinal)) return true;
            }

            return false;
        }
    }

    /// <summary>Finds the line of a mark that a merge left, counted from 1; 0 if there is none.</summary>
    public int FindMergeMark()
    {
        int line = 1;
        for (int start = 0; start < Text.Length; line++)
        {
            if (IsAt("<<<<<<< ", start) || IsAt(">>>>>>> ", start)) return line;
            int end = Text.IndexOf('\n', start);
            if (end < 0) break;
            start = end + 1;
        }

        return 0;
    }

    private bool IsAt(string mark, int start) => string.CompareOrdinal(Text, start, mark, 0, mark.Length) == 0;
}
