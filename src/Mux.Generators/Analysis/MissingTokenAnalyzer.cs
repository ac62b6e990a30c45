using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>Finds contract methods without a cancellation token.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MissingTokenAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [AnalyzerDiagnostics.MissingToken];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.HasContracts()) start.RegisterSymbolAction(Analyze, SymbolKind.NamedType);
        });
    }

    private static void Analyze(SymbolAnalysisContext context)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        if (type.TypeKind != TypeKind.Interface || !type.HasAttribute(WellKnownNames.MuxService)) return;
        foreach (var method in type.GetMembers().OfType<IMethodSymbol>())
        {
            if (!IsRemote(method) || method.Parameters.Any(IsToken)) continue;
            context.ReportDiagnostic(Diagnostic.Create(AnalyzerDiagnostics.MissingToken, method.Locations[0], method.ToDisplay()));
        }
    }

    private static bool IsRemote(IMethodSymbol method)
    {
        return method is { MethodKind: MethodKind.Ordinary, IsStatic: false } && (method.IsAbstract || method.HasAttribute(WellKnownNames.MuxMethod));
    }

    private static bool IsToken(IParameterSymbol parameter) => parameter.Type is INamedTypeSymbol type && type.ToFullName() == WellKnownNames.CancellationToken;
}
