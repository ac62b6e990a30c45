using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>Finds members of messages whose number is reserved, missing or ineffective.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class FieldNumberAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        [AnalyzerDiagnostics.ReservedField, AnalyzerDiagnostics.UnnumberedMember, AnalyzerDiagnostics.IgnoredField];

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
        if (type.TypeKind is not (TypeKind.Class or TypeKind.Struct) || MessageContract.Of(type) is not { Surrogate: null } contract) return;
        var fields = FieldNumbers.Of(type, context.Compilation);
        foreach (var field in fields.Members.OrderBy(static field => field.Value))
        {
            if (fields.IsReserved(field.Value)) Report(context, AnalyzerDiagnostics.ReservedField, field.Key, $"the number {field.Value}");
            else if (fields.IsReserved(field.Key.Name)) Report(context, AnalyzerDiagnostics.ReservedField, field.Key, $"the name {field.Key.Name}");
        }

        foreach (var member in type.GetMembers().Where(IsIgnoredField)) Report(context, AnalyzerDiagnostics.IgnoredField, member);
        if (fields.Members.IsEmpty || contract.Implicit != ImplicitFields.None) return;
        foreach (var member in type.GetMembers().Where(fields.IsForgotten))
            Report(context, AnalyzerDiagnostics.UnnumberedMember, member, type.HasAttribute(WellKnownNames.ProtoContract) ? "[ProtoIgnore]"
                : "[IgnoreDataMember]");
    }

    private static bool IsIgnoredField(ISymbol member)
    {
        return member.HasAttribute(WellKnownNames.ProtoIgnore)
            && (member.HasAttribute(WellKnownNames.ProtoMember) || member.FindAttribute(WellKnownNames.DataMember)?.Number("Order") > 0);
    }

    private static void Report(SymbolAnalysisContext context, DiagnosticDescriptor descriptor, ISymbol member, params string[] arguments)
    {
        context.ReportDiagnostic(Diagnostic.Create(descriptor, member.Locations[0], [member.ToDisplay(), .. arguments]));
    }
}
