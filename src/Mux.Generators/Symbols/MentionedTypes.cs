using Microsoft.CodeAnalysis;
using Mux.Generators.Messages.Reading;

namespace Mux.Generators.Symbols;

/// <summary>Roles of the types that one contract mentions. Each is examined once, however many members have it.</summary>
internal sealed class MentionedTypes
{
    private readonly Dictionary<INamedTypeSymbol, MentionedType> _known = new(SymbolEqualityComparer.Default);

    public MentionedType Of(INamedTypeSymbol type)
    {
        if (!_known.TryGetValue(type, out var known)) _known.Add(type, known = Read(type));
        return known;
    }

    private static MentionedType Read(INamedTypeSymbol type)
    {
        if (MessageContract.Of(type) is { } declared) return new MentionedType(declared, IsDeclared: true, IsTuple: false);
        bool isTuple = TupleReader.ConstructorOf(type) is not null;
        return new MentionedType(isTuple || HierarchyReader.BaseOf(type) is not null ? MessageContract.Bare : null, IsDeclared: false, isTuple);
    }
}
