using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Models;

namespace Mux.Generators.Reading;

/// <summary>Reads message types.</summary>
internal sealed class MessageTypeReader(Compilation compilation, Findings findings, ValueReader values)
{
    private readonly MemberReader _members = new(compilation, findings, values);
    private readonly ConstructionReader _constructions = new(compilation, findings);

    /// <summary>Null if the type cannot be a message; whatever is wrong is in the findings.</summary>
    public MessageModel? Read(INamedTypeSymbol type)
    {
        var contract = MessageContract.Of(type)!;
        if (!CheckType(type, contract)) return null;

        var members = ReadMembers(type, contract);
        if (members.Count == 0) CheckMeantEmpty(type);
        if (_constructions.Read(type, contract, members) is not { } construction) return null;

        return new MessageModel(
            type.ToIdentity(),
            type.ToDisplay(),
            type.ToIdentifier() + "Codec",
            type.IsValueType,
            ChecksType: !type.IsValueType && !type.IsSealed && !contract.IgnoresSubTypes,
            construction.Kind,
            construction.Parameters,
            construction.NeedsAccessor,
            new EquatableArray<MemberModel>([.. members]));
    }

    private static bool IsContractMember(ISymbol member)
    {
        return member.HasAttribute(WellKnownNames.ProtoMember) || member.HasAttribute(WellKnownNames.DataMember);
    }

    private bool CheckType(INamedTypeSymbol type, MessageContract contract)
    {
        OptionChecks.CheckType(type, findings);
        CheckInheritance(type);
        CheckExtension(type);
        CheckCallbacks(type);
        HiddenMembers.Check(type, compilation, findings);
        if (type.TypeKind is TypeKind.Class or TypeKind.Struct && (contract.IgnoresListHandling || !UnsupportedTypes.IsEnumerable(type))) return true;

        var reason = type.TypeKind is TypeKind.Class or TypeKind.Struct
            ? "a message that can be enumerated would be written as a list, mark it [ProtoContract(IgnoreListHandling = true)]"
            : "a message is a class, a struct or a record";
        findings.Report(MuxDiagnostics.UnsupportedType, type, type.Name, type.ToDisplay(), reason);
        return false;
    }

    private List<MemberModel> ReadMembers(INamedTypeSymbol type, MessageContract contract)
    {
        var members = new SortedDictionary<int, MemberModel>();
        foreach (var symbol in type.GetMembers())
        {
            if (_members.Read(symbol, type, contract) is not { } member) continue;
            if (!members.TryGetValue(member.Number, out var other)) members.Add(member.Number, member);
            else findings.Report(MuxDiagnostics.DuplicateNumber, symbol, $"{type.ToDisplay()}.{other.Name}", symbol.ToDisplay(), $"{member.Number}");
        }

        return [.. members.Values];
    }

    // An empty message is fine. One whose members were forgotten loses all it is given; those that have the attribute and no number are reported by themselves.
    private void CheckMeantEmpty(INamedTypeSymbol type)
    {
        var members = type.GetMembers();
        if (members.Any(IsContractMember) || !members.Any(IsPublicData)) return;
        bool isProto = type.HasAttribute(WellKnownNames.ProtoContract);
        findings.Report(MuxDiagnostics.NothingSent, type, type.ToDisplay(), isProto ? "ProtoMember" : "DataMember");
    }

    private static bool IsPublicData(ISymbol member) =>
        member is { DeclaredAccessibility: Accessibility.Public, IsStatic: false } and (IPropertySymbol { IsIndexer: false, SetMethod: not null } or IFieldSymbol { IsConst: false });

    // A base class is harmless as long as protobuf would not look at it either: no contract, no members.
    private void CheckInheritance(INamedTypeSymbol type)
    {
        if (type.HasAttribute(WellKnownNames.ProtoInclude))
            findings.Report(MuxDiagnostics.Inheritance, type, type.ToDisplay(), "has [ProtoInclude]");

        for (var parent = type.BaseType; parent is { SpecialType: not (SpecialType.System_Object or SpecialType.System_ValueType) }; parent = parent.BaseType)
        {
            if (MessageContract.Of(parent) is null && !parent.GetMembers().Any(IsContractMember)) continue;
            findings.Report(MuxDiagnostics.Inheritance, type, type.ToDisplay(), $"inherits the message '{parent.ToDisplay()}'");
            return;
        }
    }

    private void CheckExtension(INamedTypeSymbol type)
    {
        foreach (var candidate in type.AllInterfaces)
        {
            if (candidate.ToFullName() is WellKnownNames.Extensible or WellKnownNames.TypedExtensible)
                findings.Report(MuxDiagnostics.Extension, type, type.ToDisplay(), candidate.ToDisplay());
        }
    }

    private void CheckCallbacks(INamedTypeSymbol type)
    {
        foreach (var method in type.GetMembers().OfType<IMethodSymbol>())
        {
            foreach (var attribute in method.GetAttributes())
            {
                if (WellKnownNames.Callbacks.Contains(attribute.FullName()))
                    findings.Report(MuxDiagnostics.Callback, method, method.ToDisplay(), attribute.AttributeClass!.Name);
            }
        }
    }
}
