using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Contracts.Reading;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>
/// Finds local dates, and dates without a kind, that are put where they are written as a Timestamp: a member of a
/// message or an argument at level 240 or 300. The kind is not written and nothing is converted, so the reader takes
/// them for UTC. Starts at what makes such a date, which is rare.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class DateKindAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [AnalyzerDiagnostics.DateKind];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (!start.Compilation.HasContracts()) return;
            start.RegisterOperationAction(Analyze, OperationKind.PropertyReference, OperationKind.ObjectCreation, OperationKind.Invocation);
        });
    }

    private static void Analyze(OperationAnalysisContext context)
    {
        if (LocalDate.ProblemOf(context.Operation) is not { } problem || PlaceOf(context.Operation) is not { } place) return;
        if (!LocalDate.IsHeldBy(place)) return; // what converts a date decides about its kind
        if (!IsTimestamp(place, new CompatibilityLevelReader(new Findings(context.Compilation.Assembly)))) return;
        context.ReportDiagnostic(Diagnostic.Create(AnalyzerDiagnostics.DateKind, context.Operation.Syntax.GetLocation(), NameOf(place), problem));
    }

    // The member or parameter that gets the date.
    private static ISymbol? PlaceOf(IOperation date)
    {
        while (date.Parent is { } parent && LocalDate.KeepsKind(parent, date)) date = parent;
        return date.Parent switch
        {
            ISimpleAssignmentOperation { Target: IMemberReferenceOperation target } assignment when ReferenceEquals(assignment.Value, date) => target.Member,
            IPropertyInitializerOperation initializer => Preset(initializer.InitializedProperties.FirstOrDefault()),
            IFieldInitializerOperation initializer => Preset(initializer.InitializedFields.FirstOrDefault()),
            IArgumentOperation { Parameter: { } parameter } => MemberOf(parameter) ?? parameter,
            _ => null,
        };
    }

    // A date of [DefaultValue] has no kind, and the preset value must equal it.
    private static ISymbol? Preset(ISymbol? member) => member?.HasAttribute(WellKnownNames.DefaultValue) == true ? null : member;

    // What a constructor takes ends up in the member of its name.
    private static ISymbol? MemberOf(IParameterSymbol parameter)
    {
        if (parameter.ContainingSymbol is not IMethodSymbol { MethodKind: MethodKind.Constructor } constructor) return null;
        return constructor.ContainingType.GetMembers().FirstOrDefault(member =>
            member is IPropertySymbol or IFieldSymbol && string.Equals(member.Name, parameter.Name, StringComparison.OrdinalIgnoreCase));
    }

    private static bool IsTimestamp(ISymbol place, CompatibilityLevelReader levels) => place switch
    {
        IParameterSymbol { ContainingSymbol: IMethodSymbol method } parameter =>
            IsArgumentOfContract(method, parameter) && LevelOf(method, levels) >= CompatibilityLevel.Level240,
        IPropertySymbol or IFieldSymbol when MessageTypeReader.IsContractMember(place) && MessageContract.Of(place.ContainingType) is { Surrogate: null } =>
            levels.Of(place, place.ContainingType) >= CompatibilityLevel.Level240 || IsWellKnown(place),
        _ => false,
    };

    private static bool IsArgumentOfContract(IMethodSymbol method, IParameterSymbol parameter) =>
        method.ContainingType is { TypeKind: TypeKind.Interface } type && IsArgument(parameter)
            && type.FindAttribute(WellKnownNames.MuxService) is { } service && !HasSerializer(method, service);

    // Its bytes are not those of a Timestamp, or not by the level of the contract.
    private static bool HasSerializer(IMethodSymbol method, AttributeData service) =>
        (method.FindAttribute(WellKnownNames.MuxMethod)?.Argument(SerializerReader.Option)
            ?? service.Argument(SerializerReader.Option)) is not null;

    private static CompatibilityLevel LevelOf(IMethodSymbol method, CompatibilityLevelReader levels)
    {
        bool isSingle = method.Parameters.Count(IsArgument) == 1;
        return isSingle ? levels.OfSingleValues(method.ContainingType) : levels.Of(method.ContainingType);
    }

    private static bool IsArgument(IParameterSymbol parameter) => ParameterReader.RoleOf(parameter) == ParameterRole.Argument;

    private static bool IsWellKnown(ISymbol member) =>
        member.FindAttribute(WellKnownNames.ProtoMember)?.Number("DataFormat") == (int)DataFormat.WellKnown;

    private static string NameOf(ISymbol place) =>
        place is IParameterSymbol { ContainingSymbol: { } method } ? $"{method.ContainingType.ToDisplay()}.{method.Name}({place.Name})" : place.ToDisplay();
}
