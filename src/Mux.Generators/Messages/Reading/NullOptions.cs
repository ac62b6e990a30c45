using Microsoft.CodeAnalysis;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Reading;

/// <summary>What a member says about null.</summary>
/// <param name="WrapsValues">Whether a value or an item is in a message of its own, so that it may be null.</param>
/// <param name="ValuesAreGroups">Whether this message is a group.</param>
/// <param name="WrapsCollection">Whether a collection is in a message of its own, so that null and empty differ.</param>
/// <param name="CollectionIsGroup">Whether this message is a group.</param>
internal readonly record struct NullOptions(bool WrapsValues, bool ValuesAreGroups, bool WrapsCollection, bool CollectionIsGroup)
{
    public static NullOptions Of(ISymbol member)
    {
        var values = member.FindAttribute(WellKnownNames.NullWrappedValue);
        var collection = member.FindAttribute(WellKnownNames.NullWrappedCollection);
        return new NullOptions(values is not null, values?.Flag("AsGroup") == true, collection is not null, collection?.Flag("AsGroup") == true);
    }
}
