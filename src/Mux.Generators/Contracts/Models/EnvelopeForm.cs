namespace Mux.Generators.Contracts.Models;

/// <summary>What a message is for that the generator makes around values.</summary>
internal enum EnvelopeForm
{
    /// <summary>An entry of a map: key and value.</summary>
    Entry,

    /// <summary>An item that may be null, which is an empty message then.</summary>
    Item,

    /// <summary>A value that may be null: nothing is null, and an empty message is zero.</summary>
    Value,

    /// <summary>A collection that may be null: an empty message is one without items.</summary>
    Items,
}
