namespace Mux.Generators.Tests.Driver;

/// <summary>Finds the sources from where the tests run.</summary>
internal static class Repository
{
    public static string Find()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Mux.sln"))) folder = Path.GetDirectoryName(folder) ?? throw new InvalidOperationException("Mux.sln is in no folder above the tests.");
        return folder;
    }
}
