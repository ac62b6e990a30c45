using Microsoft.CodeAnalysis;
using Mux.Generators.Messages.Reading;

namespace Mux.Generators.Symbols;

/// <summary>Roles of the types that one contract mentions. Each is examined once, however many members have it.</summary>
internal sealed class MentionedTypes
{
    private readonly Dictionary<INamedTypeSymbol, Role> _known = new(SymbolEqualityComparer.Default);

    public Role Of(INamedTypeSymbol type)
    {
        if (!_known.TryGetValue(type, out var known)) _known.Add(type, known = Read(type));
        return known;
    }

    private static Role Read(INamedTypeSymbol type)
    {
        if (MessageContract.Of(type) is { } declared) return new Role(declared, IsDeclared: true, IsTuple: false);
        bool isTuple = TupleReader.ConstructorOf(type) is not null;
        return new Role(isTuple || HierarchyReader.BaseOf(type) is not null ? MessageContract.Bare : null, IsDeclared: false, isTuple);
    }

    /// <summary>Role that protobuf-net gives a type.</summary>
    /// <param name="Contract">Contract as a message, from an attribute; an empty one for a derived class that an include names and for a type that looks like a
    /// tuple. Null if it is not a message.</param>
    /// <param name="IsDeclared">True if it has an attribute that makes it a message.</param>
    /// <param name="IsTuple">True if it looks like a tuple.</param>
    internal sealed record Role(MessageContract? Contract, bool IsDeclared, bool IsTuple);
}
