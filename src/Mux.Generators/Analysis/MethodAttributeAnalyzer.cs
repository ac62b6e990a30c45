using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>Finds attributes of methods that no contract reads: those of implementations.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MethodAttributeAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [AnalyzerDiagnostics.UnreadMethodAttribute];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.HasContracts()) start.RegisterSymbolAction(Analyze, SymbolKind.Method);
        });
    }

    private static void Analyze(SymbolAnalysisContext context)
    {
        var method = (IMethodSymbol)context.Symbol;
        if (method.ContainingType.TypeKind == TypeKind.Interface || method.IsBareAccessor() || method.Locations.IsEmpty) return;
        string? name = method.HasAttribute(WellKnownNames.MuxMethod) ? "MuxMethod" : method.HasAttribute(WellKnownNames.MuxError) ? "MuxError" : null;
        if (name is null) return;
        context.ReportDiagnostic(Diagnostic.Create(AnalyzerDiagnostics.UnreadMethodAttribute, method.Locations[0], name, method.ToDisplay()));
    }
}
