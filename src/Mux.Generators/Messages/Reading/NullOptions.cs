using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>Options of a member about null.</summary>
/// <param name="WrapsValues">True if a value or an item is wrapped in its own message, so that it may be null.</param>
/// <param name="ValuesAreGroups">True if this message is a group.</param>
/// <param name="WrapsCollection">True if a collection is wrapped in its own message, so that null and empty differ.</param>
/// <param name="CollectionIsGroup">True if this message is a group.</param>
internal readonly record struct NullOptions(bool WrapsValues, bool ValuesAreGroups, bool WrapsCollection, bool CollectionIsGroup)
{
    public static NullOptions Of(ISymbol member)
    {
        var values = member.FindAttribute(WellKnownNames.NullWrappedValue);
        var collection = member.FindAttribute(WellKnownNames.NullWrappedCollection);
        return new NullOptions(values is not null, values?.Flag("AsGroup") == true, collection is not null, collection?.Flag("AsGroup") == true);
    }
}
