using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>
/// Reads types without attributes that look like a tuple, by the rule of protobuf-net: one constructor takes exactly the public members, and all of them are
/// read-only. They are numbered like the parameters, and zero is written.
/// </summary>
internal sealed class TupleReader(Findings findings, ValueReader values)
{
    private readonly CompatibilityLevelReader _levels = new(findings);
    private readonly UndeclaredLevels _undeclared = new(findings);

    /// <summary>Gets the constructor that takes all members; null if the type is not a tuple.</summary>
    public static IMethodSymbol? ConstructorOf(INamedTypeSymbol type)
    {
        if (type.TypeKind is not (TypeKind.Class or TypeKind.Struct) || type.IsAbstract || type.IsStatic || MessageContract.Of(type) is not null) return null;
        bool mayChange = type.Name.IndexOf("Tuple", StringComparison.OrdinalIgnoreCase) >= 0;
        var members = MembersOf(type).ToList();
        if (members.Count == 0 || !members.All(member => IsTaken(member, mayChange))) return null;

        var found = type.InstanceConstructors.Where(
            constructor => constructor.DeclaredAccessibility == Accessibility.Public && Match(constructor, members) is not null).ToList();
        return found.Count == 1 ? found[0] : null;
    }

    /// <summary>Reads the message. Null if a member cannot be sent; the reason is then in the findings.</summary>
    public MessageModel? Read(MessageKey key, IMethodSymbol constructor)
    {
        var type = key.Type;
        var options = new ValueOptions(DataFormat.Default, key.Level == CompatibilityLevel.NotSpecified ? _levels.Of(type) : key.Level);
        var members = new List<MemberModel>();
        foreach (var symbol in Match(constructor, [.. MembersOf(type)])!)
        {
            if (values.Read(symbol, TypeOf(symbol), options) is not { } value) continue;
            _undeclared.Check(type, symbol, value.Value);
            members.Add(value.ToMember(members.Count + 1, symbol.Name, ReadAccess.Direct, WriteAccess.Constructor) with
            {
                Default = null,
                IsOptional = TypeOf(symbol).NullableAnnotation == NullableAnnotation.Annotated,
            });
        }

        if (members.Count != constructor.Parameters.Length) return null;
        return new MessageModel(
            type.ToIdentity(), type.ToDisplay(), key.Codec, type.IsValueType, ChecksType: !type.IsValueType && !type.IsSealed,
            Construction.Parameters, new EquatableArray<int>([.. Enumerable.Range(0, members.Count)]), ConstructorNeedsAccessor: false,
            new EquatableArray<MemberModel>([.. members]))
        {
            Proto = key.Proto,
        };
    }

    // Includes base classes; a member that hides another of its name represents both.
    private static IEnumerable<ISymbol> MembersOf(INamedTypeSymbol type)
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        for (var declaring = type.TupleUnderlyingType ?? type; declaring is not null; declaring = declaring.BaseType)
        {
            foreach (var member in declaring.GetMembers())
            {
                bool isData = member is IPropertySymbol or IFieldSymbol;
                if (isData && !member.IsStatic && member.DeclaredAccessibility == Accessibility.Public && IsStored(member, type) && names.Add(member.Name))
                {
                    yield return member;
                }
            }
        }
    }

    // Skips the elements beyond the seventh and the names that the compiler adds to a ValueTuple.
    private static bool IsStored(ISymbol member, INamedTypeSymbol type) => !type.IsTupleType || type.OriginalDefinition.GetMembers(member.Name).Length > 0;

    private static bool IsTaken(ISymbol member, bool mayChange) => member switch
    {
        IPropertySymbol { GetMethod.DeclaredAccessibility: Accessibility.Public } property =>
            mayChange || property.SetMethod is not { DeclaredAccessibility: Accessibility.Public, IsInitOnly: false },
        IFieldSymbol field => mayChange || field.IsReadOnly,
        _ => false,
    };

    private static ISymbol[]? Match(IMethodSymbol constructor, List<ISymbol> members)
    {
        if (constructor.Parameters.Length != members.Count) return null;
        var matched = constructor.Parameters.Select(parameter => members.Find(member => IsSame(member, parameter))).ToArray();
        return Array.IndexOf(matched, null) >= 0 || matched.Distinct(SymbolEqualityComparer.Default).Count() != matched.Length ? null : matched!;
    }

    private static bool IsSame(ISymbol member, IParameterSymbol parameter)
    {
        return parameter.RefKind == RefKind.None && string.Equals(member.Name, parameter.Name, StringComparison.OrdinalIgnoreCase)
            && SymbolEqualityComparer.Default.Equals(TypeOf(member), parameter.Type);
    }

    private static ITypeSymbol TypeOf(ISymbol member) => member is IPropertySymbol property ? property.Type : ((IFieldSymbol)member).Type;
}
