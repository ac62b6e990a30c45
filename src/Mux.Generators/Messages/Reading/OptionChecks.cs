using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Rejects all options of protobuf-net's attributes that would change bytes and are not supported. Uses lists of allowed options, so that options of later
/// versions are rejected rather than ignored.
/// </summary>
internal static class OptionChecks
{
    // Supported, or without an effect on bytes: names for schemas.
    private static readonly HashSet<string> s_typeOptions = new(StringComparer.Ordinal)
    {
        "Name", "Origin", "IgnoreListHandling", "SkipConstructor", "IgnoreUnknownSubTypes", "UseProtoMembersOnly", "IsGroup", "EnumPassthru",
        "ImplicitFirstTag", "ImplicitFields", "InferTagFromName", "DataMemberOffset", "Surrogate",
    };

    private static readonly HashSet<string> s_memberOptions =
        new(StringComparer.Ordinal) { "Tag", "Name", "DataFormat", "IsPacked", "IsRequired", "OverwriteList", "Options" };

    private static readonly HashSet<string> s_typeAttributes = new(StringComparer.Ordinal)
    {
        WellKnownNames.ProtoContract, WellKnownNames.ProtoReserved, WellKnownNames.CompatibilityLevel, WellKnownNames.ProtoInclude,
        WellKnownNames.ProtoPartialMember, WellKnownNames.ProtoPartialIgnore,
    };

    private static readonly HashSet<string> s_memberAttributes = new(StringComparer.Ordinal)
    {
        WellKnownNames.ProtoMember, WellKnownNames.CompatibilityLevel, WellKnownNames.ProtoMap, WellKnownNames.NullWrappedValue,
            WellKnownNames.NullWrappedCollection,
    };

    public static void CheckType(INamedTypeSymbol type, Findings findings)
    {
        if (type.FindAttribute(WellKnownNames.ProtoContract) is { } contract) CheckOptions(type, contract, s_typeOptions, findings);
        CheckAttributes(type, s_typeAttributes, findings);
    }

    /// <param name="member">The member.</param>
    /// <param name="attribute">Attribute that makes it a field; null if it needs none.</param>
    /// <param name="findings">Receives rejected options.</param>
    public static void CheckMember(ISymbol member, AttributeData? attribute, Findings findings)
    {
        bool isProto = attribute?.FullName() is WellKnownNames.ProtoMember or WellKnownNames.ProtoPartialMember;
        if (isProto)
        {
            CheckOptions(member, attribute!, s_memberOptions, findings);
            CheckFlags(member, attribute!, findings);
        }

        CheckAttributes(member, s_memberAttributes, findings);
    }

    private static void CheckOptions(ISymbol symbol, AttributeData attribute, HashSet<string> allowed, Findings findings)
    {
        foreach (var option in attribute.NamedArguments)
        {
            bool isAllowed = allowed.Contains(option.Key) && option.Value.Value is not IArrayTypeSymbol; // an array cannot be a surrogate
            if (isAllowed || option.Value.IsNull || option.Value.Value is false or 0) continue;
            findings.Report(MuxDiagnostics.Option, symbol, symbol.ToDisplay(), $"{ShortName(attribute)}.{option.Key}");
        }
    }

    private static void CheckFlags(ISymbol member, AttributeData attribute, Findings findings)
    {
        if (MemberOptions.Of(attribute) is not { Refused: not 0 } options || !attribute.NamedArguments.Any(static option => option.Key == "Options")) return;
        findings.Report(MuxDiagnostics.Option, member, member.ToDisplay(), $"{ShortName(attribute)}.Options with {options.RefusedNames()}");
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

    /// <summary>Gets the name as written in code.</summary>
    public static string ShortName(AttributeData attribute)
    {
        const string suffix = "Attribute";
        var name = attribute.AttributeClass?.Name ?? string.Empty;
        return name.EndsWith(suffix, StringComparison.Ordinal) ? name.Substring(0, name.Length - suffix.Length) : name;
    }
}
