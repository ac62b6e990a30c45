namespace Mux.TestSupport.Sources;

/// <summary>The checkout these tests were built from.</summary>
public static class SourceTree
{
    private static readonly string[] s_notOurs = ["artifacts", "bin", "obj", "TestResults"];

    /// <summary>The folder that holds Mux.sln.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>The files below a folder, relative to <see cref="Root"/>, without what builds leave there.</summary>
    public static IReadOnlyList<string> Files(string folder, string pattern)
    {
        var files = Directory.EnumerateFiles(Path.Combine(Root, folder), pattern, SearchOption.AllDirectories).Select(file => Path.GetRelativePath(Root, file).Replace('\\', '/'));
        return [.. files.Where(file => !file.Split('/').Any(part => s_notOurs.Contains(part) || part.StartsWith('.'))).Order(StringComparer.Ordinal)];
    }

    /// <summary>The text of a file, given relative to <see cref="Root"/>.</summary>
    public static string Read(string file) => File.ReadAllText(Path.Combine(Root, file));

    private static string FindRoot()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Mux.sln"))) folder = Path.GetDirectoryName(folder) ?? throw new InvalidOperationException("Mux.sln is in no folder above the tests.");
        return folder;
    }
}
