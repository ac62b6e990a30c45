using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>Finds authorization attributes that contradict each other or are placed where no server reads them.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class AccessAnalyzer : DiagnosticAnalyzer
{
    private const string AspNetCore = "Microsoft.AspNetCore.Authorization.IAuthorizeData"; // [Authorize] and attributes that derive from it

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        [AnalyzerDiagnostics.ContradictoryAccess, AnalyzerDiagnostics.UnreadAccess];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.HasContracts()) start.RegisterSymbolAction(Analyze, SymbolKind.NamedType, SymbolKind.Method);
        });
    }

    private static void Analyze(SymbolAnalysisContext context)
    {
        var symbol = context.Symbol;
        if (symbol.IsImplicitlyDeclared || symbol.IsBareAccessor()) return;
        var attributes = symbol.GetAttributes();
        if (attributes.IsEmpty || symbol.Locations.IsEmpty) return;
        if (symbol.HasAttribute(WellKnownNames.MuxAuthorize) && symbol.HasAttribute(WellKnownNames.MuxAllowAnonymous))
            context.ReportDiagnostic(Diagnostic.Create(AnalyzerDiagnostics.ContradictoryAccess, symbol.Locations[0], symbol.ToDisplay()));
        if ((symbol as INamedTypeSymbol ?? symbol.ContainingType) is not { } type) return;
        foreach (var attribute in attributes)
        {
            if (attribute.AttributeClass is not { } kind || !IsUnread(kind, type)) continue;
            var name = kind.Name.EndsWith("Attribute", StringComparison.Ordinal) ? kind.Name.Substring(0, kind.Name.Length - "Attribute".Length) : kind.Name;
            context.ReportDiagnostic(Diagnostic.Create(AnalyzerDiagnostics.UnreadAccess, symbol.Locations[0], name, symbol.ToDisplay()));
            return;
        }
    }

    /// <summary>Mux reads its own attributes on interfaces; attributes of ASP.NET Core matter on a contract or its implementation.</summary>
    private static bool IsUnread(INamedTypeSymbol attribute, INamedTypeSymbol type)
    {
        if (attribute.HasFullName(WellKnownNames.MuxAuthorize) || attribute.HasFullName(WellKnownNames.MuxAllowAnonymous))
        {
            return type.TypeKind != TypeKind.Interface;
        }

        return attribute.AllInterfaces.Any(static data => data.HasFullName(AspNetCore)) && (IsContract(type) || type.AllInterfaces.Any(IsContract));
    }

    private static bool IsContract(INamedTypeSymbol type) => type.HasAttribute(WellKnownNames.MuxService);
}
