using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Reading;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Reads message types.</summary>
internal sealed class MessageTypeReader(
    Compilation compilation, Findings findings, ValueReader values, Action<MessageKey, ISymbol> reached, TypeSizes sizes)
{
    private readonly FieldNumbering _numbering = new(compilation, findings);
    private readonly MemberReader _members = new(compilation, findings, values);
    private readonly ConstructionReader _constructions = new(compilation, findings);
    private readonly HierarchyReader _hierarchies = new(compilation, findings, reached, sizes);
    private readonly CallbackReader _callbacks = new(compilation, findings);
    private readonly ExtensionReader _extensions = new(findings);
    private readonly SurrogateReader _surrogates = new(compilation, findings, values);
    private readonly TupleReader _tuples = new(findings, values);
    private readonly UndeclaredLevels _undeclared = new(findings);
    private readonly GenericAccess _generics = new(compilation, findings);

    /// <summary>Reads a message. Null if the type cannot be a message; all mistakes are in the findings.</summary>
    public MessageModel? Read(MessageKey key)
    {
        var type = key.Type;
        var attributed = MessageContract.Of(type);
        if (attributed is null && TupleReader.ConstructorOf(type) is { } constructor)
        {
            _callbacks.Read(type, "its type has no attributes and is taken as a tuple");
            IdleAttributes.CheckTuple(type, findings);
            if (!type.IsTupleType && findings.IsHere(type)) findings.Report(MuxDiagnostics.TakenAsTuple, type, type.ToDisplay());
            return _tuples.Read(key, constructor);
        }

        if (!ReferenceAssemblies.CheckWhole(type, compilation, findings)) return null;
        var contract = attributed ?? MessageContract.Bare;
        if (contract.Surrogate is { } surrogate)
        {
            OptionChecks.CheckType(type, findings);
            _callbacks.Read(type, "its type is written by a surrogate");
            IdleAttributes.CheckReplaced(type, surrogate, findings);
            return _surrogates.Read(type, surrogate);
        }

        return CheckType(type, contract) ? Read(type, contract) : null;
    }

    private MessageModel? Read(INamedTypeSymbol type, MessageContract contract)
    {
        var includes = _hierarchies.ReadIncludes(type);
        var hierarchy = _hierarchies.Read(type, includes);
        CheckBases(type);

        var members = ReadMembers(type, contract, includes);
        if (members.Count == 0) CheckMeantEmpty(type);
        if (_constructions.Read(type, contract, members, hierarchy) is not { } construction) return null;

        var unheard = hierarchy is { IsRoot: false } ? "in a hierarchy of messages, only callbacks of the first base are called; they may be virtual" : null;
        var message = new MessageModel(
            type.ToIdentity(),
            type.ToDisplay(),
            new MessageKey(type).Codec,
            type.IsValueType,
            ChecksType: !type.IsValueType && !type.IsSealed && !contract.IgnoresSubTypes,
            construction.Kind,
            construction.Parameters,
            construction.NeedsAccessor,
            new EquatableArray<MemberModel>([.. construction.Complete(members)]))
        {
            Proto = new MessageKey(type).Proto,
            FollowsProtobuf = type.HasAttribute(WellKnownNames.MuxProto),
            Reserved = ReservedReader.Read(type),
            Generic = GenericReader.Read(type),
            Hierarchy = hierarchy,
            Callbacks = _callbacks.Read(type, unheard),
            KeptFields = _members.ReadKeptFields(type),
            Extension = _extensions.Read(type, hierarchy, construction.Kind),
        };
        _generics.Check(type, message);
        return message;
    }

    /// <summary>True if a member has an attribute that makes it a field.</summary>
    public static bool IsContractMember(ISymbol member)
    {
        return member.HasAttribute(WellKnownNames.ProtoMember) || member.HasAttribute(WellKnownNames.DataMember);
    }

    private bool CheckType(INamedTypeSymbol type, MessageContract contract)
    {
        OptionChecks.CheckType(type, findings);
        HiddenMembers.Check(type, compilation, findings);
        if (type.TypeKind is TypeKind.Class or TypeKind.Struct && (contract.IgnoresListHandling || !UnsupportedTypes.IsEnumerable(type))) return true;

        var reason = type switch
        {
            { TypeKind: not (TypeKind.Class or TypeKind.Struct) } => "a message is a class, a struct or a record",
            _ when !CollectionTypes.HasItems(type) =>
                "a message that can be enumerated would be written as a list: mark it [ProtoContract(IgnoreListHandling = true)]",
            _ => "it is a list and has numbered members, but only the items or the members can be sent: to send its items, as protobuf-net does, remove " +
                $"[{ContractNameOf(type)}]; " +
                "to send its members, mark it [ProtoContract(IgnoreListHandling = true)], which drops the items; to send both, declare a message with the " +
                "members and a list",
        };
        findings.Report(MuxDiagnostics.UnsupportedType, type, type.Name, type.ToDisplay(), reason);
        return false;
    }

    private static string ContractNameOf(INamedTypeSymbol type) =>
        type.HasAttribute(WellKnownNames.ProtoContract) ? "ProtoContract" : type.HasAttribute(WellKnownNames.DataContract) ? "DataContract" : "XmlType";

    private List<MemberModel> ReadMembers(INamedTypeSymbol type, MessageContract contract, EquatableArray<IncludeModel> includes)
    {
        var taken = new Dictionary<int, (ISymbol Place, string? Include)>();
        var members = new SortedDictionary<int, MemberModel>();
        foreach (var include in includes) Take(include.Number, type, $"[ProtoInclude] {include.DisplayName}");
        var fields = _numbering.Read(type, contract);
        IdleAttributes.CheckMessage(type, fields, findings);
        foreach (var field in fields)
        {
            if (_members.Read(field, type) is not { } member || !Take(member.Number, field.Symbol, include: null)) continue;
            members.Add(member.Number, member);
            _undeclared.Check(type, field.Symbol, member.Value);
        }

        return [.. members.Values];

        bool Take(int number, ISymbol place, string? include)
        {
            bool isFree = !taken.TryGetValue(number, out var other);
            if (isFree) taken.Add(number, (place, include));
            else findings.Report(MuxDiagnostics.DuplicateNumber, place, other.Include ?? other.Place.ToDisplay(), include ?? place.ToDisplay(), $"{number}");
            return isFree;
        }
    }

    // An empty message is fine, but a message without numbered members loses all content. Members with the attribute but without a number are reported
    // separately.
    private void CheckMeantEmpty(INamedTypeSymbol type)
    {
        var members = type.GetMembers();
        if (members.Any(IsContractMember) || !members.Any(IsPublicData)) return;
        bool isProto = type.HasAttribute(WellKnownNames.ProtoContract);
        findings.Report(MuxDiagnostics.NothingSent, type, type.ToDisplay(), isProto ? "ProtoMember" : "DataMember");
    }

    private static bool IsPublicData(ISymbol member) =>
        member is { DeclaredAccessibility: Accessibility.Public, IsStatic: false }
            and (IPropertySymbol { IsIndexer: false, SetMethod: not null } or IFieldSymbol { IsConst: false })
        && !MemberReader.IsKeptFields(member);

    // protobuf-net ignores a base class that does not include this one. That is harmless as long as none of its members is marked to be sent.
    private void CheckBases(INamedTypeSymbol type)
    {
        var included = HierarchyReader.BaseOf(type);
        for (var parent = type.OwnBase(); parent is not null && !SymbolEqualityComparer.Default.Equals(parent, included); parent = parent.OwnBase())
        {
            bool isSent = parent.GetMembers().Any(IsContractMember) || MessageContract.Of(parent) is { Implicit: not ImplicitFields.None };
            if (!isSent) continue;
            findings.Report(MuxDiagnostics.BaseNotSent, type, type.ToDisplay(), parent.ToDisplay());
            return;
        }
    }
}
