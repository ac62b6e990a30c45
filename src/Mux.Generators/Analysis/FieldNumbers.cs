using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>Field numbers of a message's members, and reserved numbers.</summary>
internal sealed class FieldNumbers
{
    private readonly INamedTypeSymbol _type;
    private readonly HashSet<string> _namedAtType = new(StringComparer.Ordinal);
    private readonly EquatableArray<ReservedModel> _reserved;
    private readonly HashSet<int> _used;

    private FieldNumbers(INamedTypeSymbol type, IEnumerable<NumberedMember> members)
    {
        _type = type;
        _reserved = ReservedReader.Read(type);
        Members = members.ToImmutableDictionary(static member => member.Symbol, static member => member.Number, SymbolEqualityComparer.Default);
        _used = [.. Members.Values];
        foreach (var attribute in type.GetAttributes())
        {
            switch (attribute.FullName())
            {
                case WellKnownNames.ProtoInclude:
                    _used.Add(attribute.Number("tag") ?? 0);
                    break;
                case WellKnownNames.ProtoPartialMember or WellKnownNames.ProtoPartialIgnore:
                    _namedAtType.Add(attribute.Argument("memberName") as string ?? string.Empty);
                    break;
            }
        }
    }

    /// <summary>The members that are fields, with their numbers.</summary>
    public ImmutableDictionary<ISymbol, int> Members { get; }

    /// <summary>Reads the numbers of a type that an attribute makes a message.</summary>
    public static FieldNumbers Of(INamedTypeSymbol type, Compilation compilation)
    {
        var numbering = new FieldNumbering(compilation, new Findings(compilation.Assembly));
        return new FieldNumbers(type, numbering.Read(type, MessageContract.Of(type)!));
    }

    /// <summary>True if an attribute of the type declares the member a field or ignores it.</summary>
    public bool IsNamedAtType(ISymbol member) => _namedAtType.Contains(member.Name);

    public bool IsReserved(int number) => _reserved.Any(range => range.Contains(number));

    public bool IsReserved(string name) => _reserved.Any(range => range.Name == name);

    /// <summary>Takes the number after all numbers in use: a gap may have been another field's number once.</summary>
    public int TakeNext()
    {
        int number = _used.Where(static used => used <= FieldNumber.Max).Append(0).Max() + 1;
        while (!IsFree(number) && number <= FieldNumber.Max) number++;
        if (number > FieldNumber.Max) number = Enumerable.Range(1, FieldNumber.Max).First(IsFree);
        _used.Add(number);
        return number;
    }

    /// <summary>Drops the number of a member that gets another one.</summary>
    public void Free(ISymbol member)
    {
        if (Members.TryGetValue(member, out int number) && Members.Count(other => other.Value == number) == 1) _used.Remove(number);
    }

    /// <summary>True if a member is public and settable, and no attribute says whether it is sent.</summary>
    public bool IsForgotten(ISymbol member)
    {
        if (member is not { DeclaredAccessibility: Accessibility.Public, IsStatic: false, IsImplicitlyDeclared: false }) return false;
        bool isData = member switch
        {
            IFieldSymbol { IsConst: false, IsReadOnly: false } => true,
            IPropertySymbol { IsIndexer: false, SetMethod.DeclaredAccessibility: Accessibility.Public } property => property.BackingField() is { } field
                && !Members.ContainsKey(field),
            _ => false,
        };
        return isData && !IsNamedAtType(member) && !MemberReader.IsKeptFields(member) && !member.GetAttributes().Any(static attribute => attribute.FullName()
            is WellKnownNames.ProtoMember or WellKnownNames.ProtoIgnore or WellKnownNames.DataMember or WellKnownNames.IgnoreDataMember
                or WellKnownNames.NonSerialized
                or WellKnownNames.XmlElement or WellKnownNames.XmlArray or WellKnownNames.XmlIgnore)
            && !_type.GetMembers().Any(other => member.Name == other.Name + "Specified");
    }

    private bool IsFree(int number) => !_used.Contains(number) && !IsReserved(number)
        && number is (< FieldNumber.FirstOfProtobuf or > FieldNumber.LastOfProtobuf);
}
