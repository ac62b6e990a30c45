using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Mux.Generators.Contracts.Reading;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>Finds affinity keys on parameters that no contract reads: those of implementations, and of constructors without such a property.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class KeyAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [AnalyzerDiagnostics.UnreadKey];

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
        if (method.ContainingType.TypeKind == TypeKind.Interface || method.IsBareAccessor()) return;
        foreach (var parameter in method.Parameters)
        {
            if (!parameter.HasAttribute(WellKnownNames.MuxKey) || KeyMembers.PropertyOf(parameter) is not null) continue;
            context.ReportDiagnostic(Diagnostic.Create(AnalyzerDiagnostics.UnreadKey, parameter.Locations[0], parameter.Name));
        }
    }
}
