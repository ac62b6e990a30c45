using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Mux.Generators.Analysis;

namespace Mux.Generators.Tests.Driver;

/// <summary>Runs generator and analyzers on a compilation, as a build and an editor do.</summary>
internal static class AnalyzerRun
{
    private static readonly ImmutableArray<DiagnosticAnalyzer> s_analyzers =
        [new MissingTokenAnalyzer(), new BlockedCallAnalyzer(), new PresetMemberAnalyzer(), new ForgottenContractAnalyzer(), new FieldNumberAnalyzer(), new AccessAnalyzer(), new DateKindAnalyzer(), new KeyAnalyzer(), new ImportedPartAnalyzer(), new MethodAttributeAnalyzer()];

    /// <summary>What both tell. What the compiler says of the sources is asserted to be no error.</summary>
    public static async Task<ImmutableArray<Diagnostic>> DiagnosticsOfAsync(Compilation compilation, CancellationToken cancellationToken)
    {
        Assert.DoesNotContain(compilation.GetDiagnostics(cancellationToken), static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);
        var driver = CSharpGeneratorDriver.Create(new MuxGenerator()).WithUpdatedParseOptions(compilation.SyntaxTrees.First().Options)
            .RunGenerators(compilation, cancellationToken);
        var run = compilation.WithAnalyzers(s_analyzers, new CompilationWithAnalyzersOptions(new AnalyzerOptions([]), Throw, concurrentAnalysis: true, logAnalyzerExecutionTime: false));
        return [.. driver.GetRunResult().Diagnostics, .. await run.GetAnalyzerDiagnosticsAsync(cancellationToken)];
    }

    private static void Throw(Exception error, DiagnosticAnalyzer analyzer, Diagnostic diagnostic) => throw new InvalidOperationException($"{analyzer} threw.", error);
}
