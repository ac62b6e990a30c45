using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Finds the fields of a message type and their numbers by the rules of protobuf-net: [ProtoMember] on the member, then [ProtoPartialMember] on the type, then
/// [DataMember], then [XmlElement]; or by the order of names if the type says so.
/// </summary>
internal sealed class FieldNumbering(Compilation compilation, Findings findings)
{
    private const int Unnumbered = int.MinValue;

    private readonly PlainMembers _plain = new();

    public IReadOnlyList<NumberedMember> Read(INamedTypeSymbol type, MessageContract contract)
    {
        CheckAllFields(type, contract);
        var partial = PartialMembers(type, WellKnownNames.ProtoPartialMember);
        var ignored = PartialMembers(type, WellKnownNames.ProtoPartialIgnore);
        bool mayBePlain = contract is { ReadsDataMembers: true, InfersNumbers: false } && partial.Count == 0 && ignored.Count == 0;
        var members = new List<NumberedMember>();
        foreach (var symbol in type.GetMembers())
        {
            if (symbol is not (IPropertySymbol or IFieldSymbol) || symbol.IsStatic || (mayBePlain && PlainMembers.IsBareField(symbol))) continue;
            if (mayBePlain && _plain.OrderOf(symbol) is > 0 and var order)
            {
                members.Add(new NumberedMember(symbol, order + contract.DataMemberOffset, Attribute: null, IsPinned: false) { IsPlain = true });
                continue;
            }

            if (symbol.HasAttribute(WellKnownNames.ProtoIgnore)) continue;
            if (!ignored.ContainsKey(symbol.Name) && Find(symbol, contract, partial) is { } member) members.Add(member);
        }

        return contract.InfersNumbers ? InOrderOfNames(members, contract.FirstNumber) : members;
    }

    private static List<NumberedMember> InOrderOfNames(List<NumberedMember> members, int first)
    {
        int next = first;
        return [.. members.OrderBy(static member => member.Number).ThenBy(static member => member.SortName, StringComparer.Ordinal)
            .Select(member => member.IsPinned ? member : member with { Number = next++ })];
    }

    // By name of the member; the first of several counts. A name without a member has no effect in protobuf-net and is a mistake.
    private Dictionary<string, AttributeData> PartialMembers(INamedTypeSymbol type, string attributeName)
    {
        var members = new Dictionary<string, AttributeData>(StringComparer.Ordinal);
        foreach (var attribute in type.GetAttributes())
        {
            if (attribute.FullName() != attributeName || attribute.Argument("memberName") is not string name) continue;
            if (!members.ContainsKey(name)) members.Add(name, attribute);
            if (!type.GetMembers(name).Any(static member => member is IPropertySymbol or IFieldSymbol))
                findings.Report(MuxDiagnostics.PartialMember, type, type.ToDisplay(), name);
        }

        return members;
    }

    private NumberedMember? Find(ISymbol symbol, MessageContract contract, Dictionary<string, AttributeData> partial)
    {
        if (symbol.FindAttribute(WellKnownNames.ProtoMember) is { } proto) return new NumberedMember(symbol, proto.Number("tag") ?? 0, proto, IsPinned: true);
        if (partial.TryGetValue(symbol.Name, out var named)) return new NumberedMember(symbol, named.Number("tag") ?? 0, named, IsPinned: true);
        int least = contract.InfersNumbers ? -1 : 1;
        return FindData(symbol, contract, least) ?? FindXml(symbol, contract, least) ?? FindImplicit(symbol, contract);
    }

    private NumberedMember? FindData(ISymbol symbol, MessageContract contract, int least)
    {
        if (symbol.FindAttribute(WellKnownNames.DataMember) is not { } data) return null;
        int order = data.Number("Order") ?? -1;
        if (contract.ReadsDataMembers && order >= least) return new NumberedMember(symbol, order + contract.DataMemberOffset, data, IsPinned: false);
        if (FindXml(symbol, contract, least) is null && FindImplicit(symbol, contract) is null)
        {
            var reason = contract.ReadsDataMembers ? "without an Order above 0" : "but its type has no [DataContract] that includes it";
            findings.Report(MuxDiagnostics.NoOrder, symbol, symbol.ToDisplay(), reason);
        }

        return null;
    }

    private static NumberedMember? FindXml(ISymbol symbol, MessageContract contract, int least)
    {
        if (!contract.ReadsXmlElements || symbol.HasAttribute(WellKnownNames.XmlIgnore)) return null;
        var xml = symbol.FindAttribute(WellKnownNames.XmlElement) ?? symbol.FindAttribute(WellKnownNames.XmlArray);
        return xml is not null && (xml.Number("Order") ?? -1) is var order && order >= least ? new NumberedMember(symbol, order, xml, IsPinned: false) : null;
    }

    private static NumberedMember? FindImplicit(ISymbol symbol, MessageContract contract)
    {
        bool isField = contract.Implicit switch
        {
            ImplicitFields.AllPublic => symbol is IFieldSymbol { DeclaredAccessibility: Accessibility.Public }
                or IPropertySymbol { GetMethod.DeclaredAccessibility: Accessibility.Public },
            ImplicitFields.AllFields => symbol is IFieldSymbol,
            _ => false,
        };
        var type = symbol is IPropertySymbol property ? property.Type : ((IFieldSymbol)symbol).Type;
        if (!isField || type.TypeKind == TypeKind.Delegate || symbol.HasAttribute(WellKnownNames.NonSerialized) || MemberReader.IsKeptFields(symbol))
        {
            return null;
        }

        return new NumberedMember(symbol, Unnumbered, Attribute: null, IsPinned: false);
    }

    // A field that cannot be seen here would shift the numbers of all fields after it.
    private void CheckAllFields(INamedTypeSymbol type, MessageContract contract)
    {
        if (contract.Implicit != ImplicitFields.AllFields) return;
        bool isElsewhere = !SymbolEqualityComparer.Default.Equals(type.ContainingAssembly, compilation.Assembly);
        bool hasCaptures = !type.IsRecord && type.InstanceConstructors.Any(
            static constructor => constructor.DeclaringSyntaxReferences.Any(
                static reference => reference.GetSyntax() is Microsoft.CodeAnalysis.CSharp.Syntax.TypeDeclarationSyntax));
        if (!isElsewhere && !hasCaptures) return;
        var place = isElsewhere ? "in another assembly, whose private fields cannot be seen" : "with a primary constructor, whose fields cannot be seen";
        findings.Report(MuxDiagnostics.Option, type, type.ToDisplay(), $"ImplicitFields.AllFields {place}");
    }
}
