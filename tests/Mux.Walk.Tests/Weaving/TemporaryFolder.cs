namespace Mux.Walk.Tests.Weaving;

/// <summary>A folder for woven assemblies, gone after the test.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("mux-walk").FullName;

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
