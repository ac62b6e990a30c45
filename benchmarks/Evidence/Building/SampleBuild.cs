using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Mux.Generators;
using Mux.Generators.Analysis;

namespace Evidence.Building;

/// <summary>One build of the sample contracts, parsed anew, as the compiler has them before generators run.</summary>
internal sealed class SampleBuild
{
    private static readonly IReadOnlyList<MetadataReference> s_references = References.To("Mux.Abstractions.dll");

    private static readonly ImmutableArray<DiagnosticAnalyzer> s_analyzers =
        [new MissingTokenAnalyzer(), new BlockedCallAnalyzer(), new PresetMemberAnalyzer(), new ForgottenContractAnalyzer(), new FieldNumberAnalyzer()];

    private readonly CSharpCompilation _compilation;
    private readonly int _contracts;

    public SampleBuild(int contracts)
    {
        _contracts = contracts;
        var trees = SampleContracts.Files(contracts).Append(SampleContracts.Other(0)).Select(static (source, i) => Parse(source, i));
        var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release, nullableContextOptions: NullableContextOptions.Enable, concurrentBuild: false);
        _compilation = CSharpCompilation.Create("Shop", trees, s_references, options);
    }

    /// <summary>Has the compiler do what it does before generators, whether there are any or not.</summary>
    public void Touch() => _ = _compilation.GetTypeByMetadataName("Shop.Address");

    /// <summary>Runs the generator from nothing.</summary>
    /// <exception cref="EvidenceException">It has something to say of the contracts.</exception>
    public GeneratorDriver Generate(out Compilation whole)
    {
        var driver = CSharpGeneratorDriver.Create(new MuxGenerator()).RunGeneratorsAndUpdateCompilation(_compilation, out whole, out var diagnostics);
        return diagnostics.IsEmpty ? driver : throw new EvidenceException($"The sample contracts are refused: {diagnostics[0]}");
    }

    /// <summary>Runs what looks for mistakes in what compiles.</summary>
    /// <param name="whole">With what was generated.</param>
    /// <exception cref="EvidenceException">It has something to say of the contracts.</exception>
    public static void Analyze(Compilation whole)
    {
        var found = whole.WithAnalyzers(s_analyzers).GetAnalyzerDiagnosticsAsync().GetAwaiter().GetResult();
        if (found.Length > 0) throw new EvidenceException($"The sample contracts are not what they should be: {found[0]}");
    }

    /// <summary>The same with an edit in a file that no contract looks at.</summary>
    public Compilation EditOther(int edit) => Replace(_contracts + 1, SampleContracts.Other(edit + 1));

    /// <summary>The same with a member more in the message of one contract.</summary>
    public Compilation EditContract(int edit) =>
        Replace(1, SampleContracts.Of(0).Replace("DayOfWeek Day { get; set; }", $"DayOfWeek Day {{ get; set; }} [DataMember(Order = {9 + edit})] public int Added {{ get; set; }}", StringComparison.Ordinal));

    /// <summary>Compiles the contracts without what is generated.</summary>
    public bool Emit() => Emit(_compilation);

    /// <exception cref="EvidenceException">It does not compile.</exception>
    public static bool Emit(Compilation compilation)
    {
        var result = compilation.Emit(Stream.Null);
        return result.Success ? true : throw new EvidenceException($"The sample contracts do not compile: {result.Diagnostics.First(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error)}");
    }

    private static SyntaxTree Parse(string source, int file) => CSharpSyntaxTree.ParseText(source, path: $"Shop{file}.cs");

    private CSharpCompilation Replace(int file, string source) => _compilation.ReplaceSyntaxTree(_compilation.SyntaxTrees[file], Parse(source, file));
}
