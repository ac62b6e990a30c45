namespace Mux.Generators.Tests.Vectors;

/// <summary>The contracts of the vectors, as source.</summary>
internal static class VectorContracts
{
    private static readonly string s_source = Read("Contracts.cs.txt");

    /// <summary>Types that the contracts use.</summary>
    public static string Types { get; } = Read("ProtoBufTypes.cs.txt");

    /// <summary>All of them.</summary>
    public static string All { get; } = "#nullable disable\n" + s_source;

    /// <summary>A source with another level for the module.</summary>
    public static string WithModuleLevel(string source, int level)
    {
        const string declared = "[module: CompatibilityLevel(CompatibilityLevel.Level300)]";
        return source.Replace(declared, $"[module: CompatibilityLevel(CompatibilityLevel.Level{level})]", StringComparison.Ordinal);
    }

    /// <summary>The start of a further file in the same namespace.</summary>
    public static string Header { get; } = "#nullable disable\nusing System.Threading.Tasks;\n"
        + string.Join('\n', s_source.Split('\n').Where(static line => line.StartsWith("using ", StringComparison.Ordinal)))
        + "\nnamespace VectorContracts;\n";

    private static string Read(string file) => File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Vectors", "Data", file));
}
