using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>
/// Finds members of messages that a constructor or initializer presets to a value other than the omitted one. When the omitted value is sent, the reader gets
/// the preset value instead.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class PresetMemberAnalyzer : DiagnosticAnalyzer
{
    /// <summary>Property of a diagnostic with the C# expression of the preset value, if that is a constant.</summary>
    internal const string PresetProperty = "Preset";

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [AnalyzerDiagnostics.Preset];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.HasContracts()) start.RegisterSymbolStartAction(Begin, SymbolKind.NamedType);
        });
    }

    private static void Begin(SymbolStartAnalysisContext context)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        if (type.TypeKind is not (TypeKind.Class or TypeKind.Struct) || MessageContract.Of(type) is not { Surrogate: null } contract) return;
        var presets = new PresetMembers(type, contract, context.Compilation);
        if (presets.IsEmpty) return;
        context.RegisterOperationAction(operation =>
            AddInitializer(operation.Operation, presets), OperationKind.FieldInitializer, OperationKind.PropertyInitializer);
        context.RegisterOperationAction(operation => AddAssignment(operation, presets), OperationKind.SimpleAssignment);
        context.RegisterSymbolEndAction(end => Report(end, presets));
    }

    private static void AddInitializer(IOperation operation, PresetMembers presets)
    {
        var members = operation switch
        {
            IFieldInitializerOperation fields => fields.InitializedFields.Cast<ISymbol>(),
            IPropertyInitializerOperation properties => properties.InitializedProperties,
            _ => [],
        };
        foreach (var member in members) presets.AddInitializer(member, ((ISymbolInitializerOperation)operation).Value);
    }

    // Counts only unconditional statements of a constructor without parameters.
    private static void AddAssignment(OperationAnalysisContext context, PresetMembers presets)
    {
        if (context.ContainingSymbol is not IMethodSymbol { MethodKind: MethodKind.Constructor, Parameters.IsEmpty: true }) return;
        var assignment = (ISimpleAssignmentOperation)context.Operation;
        if (assignment is not
            {
                Target: IMemberReferenceOperation { Instance: IInstanceReferenceOperation } target,
                Parent: IExpressionStatementOperation { Parent: IBlockOperation { Parent: IConstructorBodyOperation } }
            })
        {
            return;
        }

        presets.AddAssignment(target.Member, assignment.Value);
    }

    private static void Report(SymbolAnalysisContext context, PresetMembers presets)
    {
        foreach (var (member, omitted, preset) in presets.Find())
        {
            var properties = ImmutableDictionary<string, string?>.Empty;
            if (preset.Expression is { } expression) properties = properties.Add(PresetProperty, expression);
            var place = preset.Syntax?.GetLocation() ?? member.Locations[0];
            context.ReportDiagnostic(
                Diagnostic.Create(AnalyzerDiagnostics.Preset, place, [member.Locations[0]], properties, member.ToDisplay(), omitted.Text, preset.Text));
        }
    }
}
