namespace Mux.Description.Proto.Comparing;

/// <summary>A file in the folder of contracts.</summary>
/// <param name="Name">The path by which other files import it.</param>
/// <param name="Text">Its content.</param>
internal sealed record RecordedFile(string Name, string Text)
{
    /// <summary>The first comment of a file that was recorded, by which it is known among files of others.</summary>
    public const string Mark = "Recorded by Mux";

    private const string Options = "mux/options.proto";

    /// <summary>Gets a value indicating whether it records contracts of this project. Others are read only where such a file imports them.</summary>
    public bool IsOwn => Has(Mark) || Has("import \"" + Options);

    private bool Has(string part) => Text.Contains(part, StringComparison.Ordinal);

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
