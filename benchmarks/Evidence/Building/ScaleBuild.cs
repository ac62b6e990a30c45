using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators;

namespace Evidence.Building;

/// <summary>The large project as an editor has it: its files are parsed, its generator has run, and one file after another changes.</summary>
internal sealed class ScaleBuild
{
    private readonly int _contracts;
    private CSharpCompilation _compilation;
    private GeneratorDriver _driver;

    public ScaleBuild(int contracts)
    {
        _contracts = contracts;
        var sources = Enumerable.Range(0, contracts).Select(static contract => ScaleSources.Of(contract)).Append(ScaleSources.Other(0)).Append(ScaleSources.Shared);
        var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable, concurrentBuild: false);
        _compilation = CSharpCompilation.Create("Plant", sources.Select(static (source, i) => Parse(source, i)), References.To("Mux.Abstractions.dll"), options);
        _driver = CSharpGeneratorDriver.Create([new MuxGenerator().AsSourceGenerator()], driverOptions: new(IncrementalGeneratorOutputKind.None));
        Run();
        Result = _driver.GetRunResult();
        if (Result.Diagnostics.Length > 0) throw new EvidenceException($"The contracts are refused: {Result.Diagnostics[0]}");
    }

    /// <summary>What the first run made.</summary>
    public GeneratorDriverRunResult Result { get; }

    /// <summary>Prepares an edit inside a method of a file that no contract looks at; <see cref="Run"/> is what it costs.</summary>
    public void EditOther(int edit) => Replace(_contracts, ScaleSources.Other(edit + 1));

    /// <summary>Prepares an edit of that file that declares a type, whose name might be one that contracts use.</summary>
    public void Declare(int edit) => Replace(_contracts, ScaleSources.Other(0, declared: edit + 1));

    /// <summary>Prepares an edit of a file with a contract: a message of it has a member more.</summary>
    public void EditContract(int edit) => Replace(_contracts / 2, ScaleSources.Of(_contracts / 2, added: edit + 1));

    /// <summary>Runs the generator on the files as they are now.</summary>
    public void Run() => _driver = _driver.RunGenerators(_compilation);

    private static SyntaxTree Parse(string source, int file) => CSharpSyntaxTree.ParseText(source, path: $"Plant{file}.cs");

    private void Replace(int file, string source) => _compilation = _compilation.ReplaceSyntaxTree(_compilation.SyntaxTrees[file], Parse(source, file));
}
