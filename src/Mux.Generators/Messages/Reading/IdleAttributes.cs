using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Finds attributes of members that stand where protobuf-net does not look at them, so that what they ask for is not done.</summary>
internal static class IdleAttributes
{
    private static readonly HashSet<string> s_numbers = new(StringComparer.Ordinal) { WellKnownNames.ProtoMember, WellKnownNames.DataMember };

    // What says how a field is written, and has no effect where there is no field.
    private static readonly HashSet<string> s_options = new(StringComparer.Ordinal)
    {
        WellKnownNames.ProtoMap, WellKnownNames.NullWrappedValue, WellKnownNames.NullWrappedCollection,
    };

    private static readonly HashSet<string> s_tupleOptions = new(StringComparer.Ordinal)
    {
        WellKnownNames.ProtoMember, WellKnownNames.DataMember, WellKnownNames.DefaultValue, WellKnownNames.ProtoMap, WellKnownNames.NullWrappedValue,
        WellKnownNames.NullWrappedCollection, WellKnownNames.CompatibilityLevel, WellKnownNames.ProtoIgnore,
    };

    /// <summary>Static members of a message, and members that say how they are written but have no number.</summary>
    /// <param name="type">The message.</param>
    /// <param name="fields">Its members that are fields.</param>
    /// <param name="findings">Receives what has no effect.</param>
    public static void CheckMessage(INamedTypeSymbol type, IReadOnlyList<NumberedMember> fields, Findings findings)
    {
        foreach (var member in type.GetMembers())
        {
            if (member is not (IPropertySymbol or IFieldSymbol)) continue;
            if (member.IsStatic) Check(member, s_numbers, "it is static, and only members of objects are sent", findings);
            else if (!member.HasAttribute(WellKnownNames.ProtoIgnore) && fields.All(field => !SymbolEqualityComparer.Default.Equals(field.Symbol, member)))
                Check(member, s_options, "the member has no number and is not sent", findings);
        }
    }

    /// <summary>Members of a type that is taken as a tuple.</summary>
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

    /// <summary>Members of a type that another one stands for.</summary>
    public static void CheckReplaced(INamedTypeSymbol type, INamedTypeSymbol surrogate, Findings findings)
    {
        foreach (var member in type.GetMembers().Where(static member => member is IPropertySymbol or IFieldSymbol))
            Check(member, s_numbers, $"'{surrogate.ToDisplay()}' is written in place of its type", findings);
    }

    /// <summary>Constants of an enum, which are written as the numbers that they are; a number of another kind is an error.</summary>
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
