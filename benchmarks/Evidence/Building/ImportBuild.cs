using System.Diagnostics.CodeAnalysis;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;
using Mux.Generators;

namespace Evidence.Building;

/// <summary>The project that imports .proto files as an editor has it, as <see cref="ScaleBuild"/> has the one whose contracts are C#.</summary>
internal sealed class ImportBuild
{
    private CSharpCompilation _compilation;
    private GeneratorDriver _driver;
    private AdditionalText _edited;

    public ImportBuild(int files)
    {
        var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable, concurrentBuild: false);
        SyntaxTree[] trees = [Parse(ImportSources.Contract(0), 0), Parse(ScaleSources.Other(0), 1)];
        _compilation = CSharpCompilation.Create("Plant", trees, References.To("Mux.Abstractions.dll"), options);
        AdditionalText[] texts = [.. Enumerable.Range(0, files).Select(static file => new ProtoText(file, ImportSources.Of(file)))];
        _edited = texts[1];
        _driver = CSharpGeneratorDriver.Create(
            [new MuxGenerator().AsSourceGenerator()], texts, optionsProvider: new ImportOptions(), driverOptions: new(IncrementalGeneratorOutputKind.None));
        Run();
        var result = _driver.GetRunResult();
        if (result.Diagnostics.Length > 0) throw new EvidenceException($"The contract is refused: {result.Diagnostics[0]}");
    }

    /// <summary>Prepares an edit inside a method of a file that no contract looks at; <see cref="Run"/> is what it costs.</summary>
    public void EditOther(int edit) => Replace(1, ScaleSources.Other(edit + 1));

    /// <summary>Prepares an edit of the contract, which names imported types: it has a method more.</summary>
    public void EditContract(int edit) => Replace(0, ImportSources.Contract(edit + 1));

    /// <summary>Prepares an edit of a .proto file: a message that the contract reaches has a field more.</summary>
    public void EditFile(int edit)
    {
        var text = new ProtoText(1, ImportSources.Of(1, edit + 1));
        _driver = _driver.ReplaceAdditionalText(_edited, text);
        _edited = text;
    }

    /// <summary>Runs the generator on the files as they are now.</summary>
    public void Run() => _driver = _driver.RunGenerators(_compilation);

    private static SyntaxTree Parse(string source, int file) => CSharpSyntaxTree.ParseText(source, path: $"Plant{file}.cs");

    private void Replace(int file, string source) => _compilation = _compilation.ReplaceSyntaxTree(_compilation.SyntaxTrees[file], Parse(source, file));

    private sealed class ProtoText(int file, string text) : AdditionalText
    {
        private readonly SourceText _text = SourceText.From(text);

        public override string Path => $"/plant/parts{file}.proto";

        public override SourceText GetText(CancellationToken cancellationToken = default) => _text;
    }

    /// <summary>What a build tells of items MuxProto.</summary>
    private sealed class ImportOptions : AnalyzerConfigOptionsProvider
    {
        public override AnalyzerConfigOptions GlobalOptions { get; } = new Options();

        public override AnalyzerConfigOptions GetOptions(SyntaxTree tree) => GlobalOptions;

        public override AnalyzerConfigOptions GetOptions(AdditionalText textFile) => GlobalOptions;

        private sealed class Options : AnalyzerConfigOptions
        {
            public override bool TryGetValue(string key, [NotNullWhen(true)] out string? value)
            {
                value = key switch { "build_metadata.AdditionalFiles.MuxImport" => "true", "build_property.ProjectDir" => "/plant/", _ => null };
                return value is not null;
            }
        }
    }
}
