using Mux.Generators.Diagnostics;

namespace Mux.Generators.Importing;

/// <summary>
/// The files of a project by the name with which others import them: the path below their root. A project need not say the root: it is where imports begin by
/// which one file names another, else the folder of the project.
/// </summary>
internal sealed class ImportFiles
{
    private readonly Dictionary<string, ImportInput> _byName = new(StringComparer.Ordinal);

    /// <param name="inputs">The files.</param>
    /// <param name="folder">Folder of the project; null if it is not known.</param>
    /// <param name="faults">Gets files that cannot have a name.</param>
    public ImportFiles(EquatableArray<ImportInput> inputs, string? folder, List<ImportFault> faults)
    {
        var imported = new HashSet<string>(inputs.SelectMany(static input => ImportsIn(input.Text)), StringComparer.Ordinal);
        var paths = inputs.Select(static input => Normal(input.Path)).ToList();
        var roots = paths.Select(path => LongestEnd(path, imported) is { } end ? path.Substring(0, path.Length - end.Length) : string.Empty)
            .Where(static root => root.Length > 0).Append(folder is null ? "/" : Below(Normal(folder))).Distinct(StringComparer.Ordinal).ToList();
        foreach (var input in inputs)
        {
            if (input.Access is not (null or "public" or "internal")) Report(input, $"its Access is '{input.Access}'; write Public or Internal", faults);
            if (input.HasUnknownCodecs) Report(input, $"its Codecs is '{input.Codecs}'; write All or Reached", faults);
            var path = Normal(input.Path);
            if (input.Root is { } root)
            {
                var start = Below(Full(root, folder));
                if (path.StartsWith(start, StringComparison.Ordinal)) Add(path.Substring(start.Length), input, faults);
                else Report(input, $"it is not below its ProtoRoot '{root}'; set the folder from which its imports begin", faults);
                continue;
            }

            Add(LongestEnd(path, imported) ?? NameBelow(path, roots), input, faults);
        }
    }

    public IReadOnlyCollection<string> Names => _byName.Keys;

    /// <summary>Gets where the files are on this machine.</summary>
    public IEnumerable<string> Paths => _byName.Values.Select(static input => Normal(input.Path));

    /// <summary>Finds a file; null if the project has none of this name.</summary>
    public ImportInput? Find(string name) => _byName.TryGetValue(name, out var input) ? input : null;

    // Text of a comment that looks like an import names no file, or one that an import names as well.
    private static IEnumerable<string> ImportsIn(string text)
    {
        const string keyword = "import";
        for (int at = 0; (at = text.IndexOf(keyword, at, StringComparison.Ordinal)) >= 0;)
        {
            at += keyword.Length;
            int quote = SkipSpace(text, at);
            while (quote < text.Length && char.IsLetter(text[quote])) quote++; // public, weak or option
            quote = SkipSpace(text, quote);
            if (quote == text.Length || text[quote] is not ('"' or '\'')) continue;
            int end = text.IndexOf(text[quote], quote + 1);
            if (end > 0) yield return text.Substring(quote + 1, end - quote - 1);
        }
    }

    // Comments, too.
    private static int SkipSpace(string text, int at)
    {
        while (at < text.Length)
        {
            var ending = string.CompareOrdinal(text, at, "/*", 0, 2) == 0 ? "*/"
                : string.CompareOrdinal(text, at, "//", 0, 2) == 0 ? "\n" : null;
            if (ending is not null)
            {
                int end = text.IndexOf(ending, at + 2, StringComparison.Ordinal);
                if (end < 0) return text.Length;
                at = end + ending.Length;
            }
            else if (char.IsWhiteSpace(text[at]))
            {
                at++;
            }
            else
            {
                break;
            }
        }

        return at;
    }

    private void Add(string name, ImportInput input, List<ImportFault> faults)
    {
        if (!_byName.TryGetValue(name, out var other)) _byName.Add(name, input);
        else if (other.Path != input.Path)
            Report(input, $"'{other.Path}' has the same path '{name}' in imports; remove one of them, or set ProtoRoot so that the paths differ", faults);
    }

    private static void Report(ImportInput input, string problem, List<ImportFault> faults) =>
        faults.Add(new ImportFault(ImportDiagnostics.Name, input.Path, 0, 0, new([System.IO.Path.GetFileName(input.Path), problem])));

    // Ends begin after a separator: they are looked up, because there may be many.
    private static string? LongestEnd(string path, HashSet<string> ends)
    {
        for (int i = path.IndexOf('/'); i >= 0; i = path.IndexOf('/', i + 1))
        {
            if (ends.Contains(path.Substring(i + 1))) return path.Substring(i + 1);
        }

        return null;
    }

    private static string NameBelow(string path, List<string> roots)
    {
        var root = roots.Where(root => path.StartsWith(root, StringComparison.Ordinal)).OrderByDescending(static root => root.Length).FirstOrDefault();
        return root is not null ? path.Substring(root.Length) : path.Substring(path.LastIndexOf('/') + 1);
    }

    private static string Full(string root, string? folder)
    {
        bool isRooted = root[0] is '/' or '\\' || (root.Length > 1 && root[1] == ':');
        return Normal(isRooted || folder is null ? root : $"{folder}/{root}");
    }

    private static string Below(string folder) => folder.Length == 0 ? folder : folder + "/";

    // Without '.', '..' and a separator at the end.
    private static string Normal(string path)
    {
        var parts = new List<string>();
        foreach (var part in path.Replace('\\', '/').Split('/'))
        {
            if (part == "..") parts.RemoveRange(Math.Max(parts.Count - 1, 0), Math.Min(parts.Count, 1));
            else if (part != "." && (part.Length > 0 || parts.Count == 0)) parts.Add(part);
        }

        return string.Join("/", parts);
    }
}
