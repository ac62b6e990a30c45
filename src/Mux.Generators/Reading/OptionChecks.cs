using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;

namespace Mux.Generators.Reading;

/// <summary>
/// Refuses whatever protobuf-net's attributes can say that would change bytes and is not taken. Works by lists of what is harmless, so
/// that an option of a later version is refused and not ignored.
/// </summary>
internal static class OptionChecks
{
    // Taken, or without an effect on bytes: names for schemas, numbers for implicit fields, which are refused themselves.
    private static readonly HashSet<string> s_typeOptions = new(StringComparer.Ordinal)
    {
        "Name", "Origin", "IgnoreListHandling", "SkipConstructor", "IgnoreUnknownSubTypes", "UseProtoMembersOnly", "IsGroup", "EnumPassthru",
        "ImplicitFirstTag",
    };

    private static readonly HashSet<string> s_memberOptions = new(StringComparer.Ordinal) { "Tag", "Name", "DataFormat", "IsPacked", "IsRequired" };

    // Levels concern dates, Guid and decimal only, which are refused themselves.
    private static readonly HashSet<string> s_typeAttributes = new(StringComparer.Ordinal)
    {
        WellKnownNames.ProtoContract, WellKnownNames.ProtoReserved, WellKnownNames.CompatibilityLevel, WellKnownNames.ProtoInclude,
    };

    private static readonly HashSet<string> s_memberAttributes = new(StringComparer.Ordinal) { WellKnownNames.ProtoMember, WellKnownNames.CompatibilityLevel };

    public static void CheckType(INamedTypeSymbol type, Findings findings)
    {
        if (type.FindAttribute(WellKnownNames.ProtoContract) is { } contract) CheckOptions(type, contract, s_typeOptions, findings);
        CheckAttributes(type, s_typeAttributes, findings);
    }

    public static void CheckMember(ISymbol member, Findings findings)
    {
        if (member.FindAttribute(WellKnownNames.ProtoMember) is { } attribute) CheckOptions(member, attribute, s_memberOptions, findings);
        CheckAttributes(member, s_memberAttributes, findings);
    }

    private static void CheckOptions(ISymbol symbol, AttributeData attribute, HashSet<string> allowed, Findings findings)
    {
        foreach (var option in attribute.NamedArguments)
        {
            if (allowed.Contains(option.Key) || option.Value.IsNull || option.Value.Value is false or 0) continue;
            findings.Report(MuxDiagnostics.Option, symbol, symbol.ToDisplay(), $"{ShortName(attribute)}.{option.Key}");
        }
    }

    private static void CheckAttributes(ISymbol symbol, HashSet<string> allowed, Findings findings)
    {
        foreach (var attribute in symbol.GetAttributes())
        {
            var name = attribute.FullName();
            if (!name.StartsWith(WellKnownNames.ProtoBufNamespace, StringComparison.Ordinal) || allowed.Contains(name)) continue;
            findings.Report(MuxDiagnostics.Option, symbol, symbol.ToDisplay(), $"[{ShortName(attribute)}]");
        }
    }

    private static string ShortName(AttributeData attribute)
    {
        const string suffix = "Attribute";
        var name = attribute.AttributeClass?.Name ?? string.Empty;
        return name.EndsWith(suffix, StringComparison.Ordinal) ? name.Substring(0, name.Length - suffix.Length) : name;
    }
}
