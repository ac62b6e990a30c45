using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>
/// Finds what other parts of an imported type cannot add to it: the contract was read from the .proto file alone. An authorization that is ignored must not go
/// unnoticed.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class ImportedPartAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [ImportDiagnostics.UnreadPart];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.Analyze);
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.HasContracts()) start.RegisterSymbolAction(Analyze, SymbolKind.NamedType);
        });
    }

    private static void Analyze(SymbolAnalysisContext context)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        if (type.DeclaringSyntaxReferences.Length < 2) return;
        if (type.FindAttribute(WellKnownNames.MuxProto)?.ApplicationSyntaxReference is not { } mark) return;
        foreach (var symbol in type.GetMembers().Prepend<ISymbol>(type))
        {
            foreach (var attribute in symbol.GetAttributes())
            {
                if (attribute.ApplicationSyntaxReference is not { } place || place.SyntaxTree == mark.SyntaxTree || !IsAboutContracts(attribute)) continue;
                Report(Location.Create(place.SyntaxTree, place.Span), $"[{attribute.AttributeClass!.Name.Replace("Attribute", string.Empty)}]");
            }
        }

        // A member with a body is no part of the contract.
        if (type.TypeKind != TypeKind.Interface) return;
        foreach (var member in type.GetMembers().Where(static member => member is { IsAbstract: true, IsStatic: false, IsImplicitlyDeclared: false }))
        {
            if (member is IMethodSymbol { MethodKind: not MethodKind.Ordinary }) continue;
            var added = member.Locations.FirstOrDefault(place => place.IsInSource && place.SourceTree != mark.SyntaxTree);
            if (added is not null) Report(added, $"'{member.Name}'");
        }

        void Report(Location place, string what) => context.ReportDiagnostic(Diagnostic.Create(
            ImportDiagnostics.UnreadPart, place, what, type.Name, type.TypeKind == TypeKind.Interface
                ? "write it there, or declare a contract that inherits the interface under the same name" : "write it there"));
    }

    private static bool IsAboutContracts(AttributeData attribute) =>
        attribute.AttributeClass?.ContainingNamespace.ToDisplayString() is "Mux" or "ProtoBuf" or "System.Runtime.Serialization";
}
