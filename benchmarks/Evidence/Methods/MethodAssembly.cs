using System.Runtime.Loader;
using Evidence.Building;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators;

namespace Evidence.Methods;

/// <summary>The assembly of many contracts: compiled here, with the generator of this build, so that no build of the repository takes longer for it.</summary>
internal sealed class MethodAssembly : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("many-methods-").FullName;

    private MethodAssembly()
    {
    }

    public string Path => System.IO.Path.Combine(_folder, "Many.dll");

    public long Bytes => new FileInfo(Path).Length;

    /// <exception cref="EvidenceException">The contracts do not compile.</exception>
    public static MethodAssembly Compile()
    {
        var built = new MethodAssembly();
        var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release, nullableContextOptions: NullableContextOptions.Enable);
        var trees = MethodSources.Files().Select(static source => CSharpSyntaxTree.ParseText(source));
        var compilation = CSharpCompilation.Create("Many", trees, References.To("Mux.Abstractions.dll", "Mux.Core.dll", "Evidence.dll"), options);
        CSharpGeneratorDriver.Create(new MuxGenerator()).RunGeneratorsAndUpdateCompilation(compilation, out var whole, out _);
        using var file = File.Create(built.Path);
        var result = whole.Emit(file);
        return result.Success ? built : throw new EvidenceException($"The contracts do not compile: {result.Diagnostics.First(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error)}");
    }

    /// <summary>Loads what another process has compiled.</summary>
    public static MethodSet Load(string path) => (MethodSet)Activator.CreateInstance(AssemblyLoadContext.Default.LoadFromAssemblyPath(path).GetType("Many.Methods", throwOnError: true)!)!;

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
