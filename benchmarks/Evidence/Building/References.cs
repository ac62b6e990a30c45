using Microsoft.CodeAnalysis;

namespace Evidence.Building;

/// <summary>What code refers to that is compiled while the program runs.</summary>
internal static class References
{
    /// <summary>References to the framework, and to so many assemblies of this program.</summary>
    public static List<MetadataReference> To(params string[] files)
    {
        var assemblies = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        var framework = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        return [.. assemblies.Where(path => Path.GetDirectoryName(path) == framework || files.Contains(Path.GetFileName(path))).Select(static path => MetadataReference.CreateFromFile(path))];
    }
}
