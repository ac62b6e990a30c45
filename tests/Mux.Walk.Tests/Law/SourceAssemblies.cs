using Mux.TestSupport.Sources;

namespace Mux.Walk.Tests.Law;

/// <summary>What the projects of src were built to: the project of these tests references all of them.</summary>
internal static class SourceAssemblies
{
    /// <summary>Names of the projects.</summary>
    public static IReadOnlyList<string> Projects { get; } =
    [
        .. SourceTree.Files("src", "*.csproj")
            .Select(file => file.Split('/')).Where(parts => parts.Length == 3).Select(parts => parts[1]),
    ];

    /// <summary>The types of all of them.</summary>
    public static IReadOnlyList<CodeType> Types { get; } =
        [.. Projects.SelectMany(project => CodeReader.Read(PathOf(project), PlaceOf))];

    /// <summary>The circles of each assembly, the largest first. Assemblies make no circles with each other.</summary>
    public static IReadOnlyList<IReadOnlyList<CodeType>> Circles { get; } =
    [
        .. Types.GroupBy(type => type.Assembly)
            .SelectMany(types => CodeCircles.Of([.. types])).OrderByDescending(circle => circle.Count),
    ];

    /// <summary>The assembly of a project, in the configuration in which these tests were built.</summary>
    public static string PathOf(string project)
    {
        var configuration = Path.GetFileName(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory));
        foreach (var folder in new[] { configuration, configuration + "_net10.0" })
        {
            var path = Path.Combine(SourceTree.Root, "artifacts", "bin", project, folder, project + ".dll");
            if (File.Exists(path)) return path;
        }

        throw new FileNotFoundException($"{project} is not built as {configuration}: build tests/Mux.Walk.Tests.");
    }

    private static Place PlaceOf(Mono.Cecil.TypeDefinition type, string? file)
    {
        var assembly = type.Module.Assembly.Name.Name;
        bool isOfSrc = file?.StartsWith("src/", StringComparison.Ordinal) == true;
        return isOfSrc ? WingMap.OfFile(file!) : WingMap.OfNamespace(assembly, type.Namespace);
    }
}
