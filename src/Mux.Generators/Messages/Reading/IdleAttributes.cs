using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Finds attributes of members in places that protobuf-net ignores, so that they have no effect.</summary>
internal static class IdleAttributes
{
    private static readonly HashSet<string> s_numbers = new(StringComparer.Ordinal) { WellKnownNames.ProtoMember, WellKnownNames.DataMember };

    // Attributes about the encoding of a field, without effect if there is no field.
    private static readonly HashSet<string> s_options = new(StringComparer.Ordinal)
    {
        WellKnownNames.ProtoMap, WellKnownNames.NullWrappedValue, WellKnownNames.NullWrappedCollection,
    };

    private static readonly HashSet<string> s_tupleOptions = new(StringComparer.Ordinal)
    {
        WellKnownNames.ProtoMember, WellKnownNames.DataMember, WellKnownNames.DefaultValue, WellKnownNames.ProtoMap, WellKnownNames.NullWrappedValue,
        WellKnownNames.NullWrappedCollection, WellKnownNames.CompatibilityLevel, WellKnownNames.MuxCompatibilityLevel, WellKnownNames.ProtoIgnore,
    };

    /// <summary>Checks static members of a message, and members with encoding attributes but without a number.</summary>
    /// <param name="type">The message.</param>
    /// <param name="fields">Its members that are fields.</param>
    /// <param name="findings">Receives attributes without effect.</param>
    public static void CheckMessage(INamedTypeSymbol type, IReadOnlyList<NumberedMember> fields, Findings findings)
    {
        CheckSingleValues(type, findings);
        int next = 0; // fields are in the order of the members, unless they are numbered by their names
        foreach (var member in type.GetMembers())
        {
            if (member is not (IPropertySymbol or IFieldSymbol) || PlainMembers.IsBareField(member)) continue;
            bool isNext = next < fields.Count && SymbolEqualityComparer.Default.Equals(fields[next].Symbol, member);
            // A plain member has no such attribute, and the question would bind those that it has.
            if (!isNext || !fields[next].IsPlain) CheckSingleValues(member, findings);
            if (member.IsStatic) Check(member, s_numbers, "it is static, and only members of objects are sent", findings);
            else if (isNext) next++;
            else if (!member.HasAttribute(WellKnownNames.ProtoIgnore) && fields.All(field => !SymbolEqualityComparer.Default.Equals(field.Symbol, member)))
                Check(member, s_options, "the member has no number and is not sent", findings);
        }
    }

    private static void CheckSingleValues(ISymbol symbol, Findings findings)
    {
        if (symbol.FindAttribute(WellKnownNames.MuxCompatibilityLevel)?.Argument(CompatibilityLevelReader.SingleValues) is null) return;
        findings.Report(
            MuxDiagnostics.IdleAttribute, symbol, symbol.ToDisplay(), $"MuxCompatibilityLevel.{CompatibilityLevelReader.SingleValues}",
            "it is for values that methods send alone: set it for the contract, the module or the assembly");
    }

    /// <summary>Checks members of a type that is treated as a tuple.</summary>
    public static void CheckTuple(INamedTypeSymbol type, Findings findings)
    {
        const string reason = "its type has no attribute and is taken as a tuple, whose members are numbered as the parameters of the constructor; mark the " +
            "type [ProtoContract] or [DataContract] to make it a message";
        if (type.IsTupleType) return;
        foreach (var member in type.GetMembers().Where(static member => member is IPropertySymbol or IFieldSymbol))
        {
            Check(member, s_tupleOptions, reason, findings);
        }
    }

    /// <summary>Checks members of a type that has a surrogate.</summary>
    public static void CheckReplaced(INamedTypeSymbol type, INamedTypeSymbol surrogate, Findings findings)
    {
        foreach (var member in type.GetMembers().Where(static member => member is IPropertySymbol or IFieldSymbol))
            Check(member, s_numbers, $"'{surrogate.ToDisplay()}' is written in place of its type", findings);
    }

    /// <summary>Checks constants of an enum, which are written as their numbers; another number in an attribute is an error.</summary>
    public static void CheckEnum(INamedTypeSymbol type, Findings findings)
    {
        foreach (var constant in type.GetMembers().OfType<IFieldSymbol>())
        {
            Check(constant, s_numbers, "a constant of an enum is written as the number that it is", findings);
            if (constant.FindAttribute(WellKnownNames.ProtoEnum)?.Number("Value") is not { } value || IsSame(constant.ConstantValue, value)) continue;
            findings.Report(MuxDiagnostics.Option, constant, constant.ToDisplay(), $"ProtoEnum.Value, {value}, unlike the constant, {constant.ConstantValue}");
        }
    }

    private static bool IsSame(object? constant, int value) =>
        constant is ulong unsigned ? value >= 0 && unsigned == (ulong)value : Convert.ToInt64(constant ?? 0, null) == value;

    private static void Check(ISymbol member, HashSet<string> names, string reason, Findings findings)
    {
        foreach (var attribute in member.GetAttributes())
        {
            if (names.Contains(attribute.FullName()))
            {
                findings.Report(MuxDiagnostics.IdleAttribute, member, member.ToDisplay(), OptionChecks.ShortName(attribute), reason);
            }
        }
    }
}
