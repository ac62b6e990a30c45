namespace Mux.Generators.Contracts.Models;

/// <summary>Purposes of messages that the generator wraps around values.</summary>
internal enum EnvelopeForm
{
    /// <summary>An entry of a map: key and value.</summary>
    Entry,

    /// <summary>A nullable item; null is an empty message.</summary>
    Item,

    /// <summary>A nullable value: null is no message, zero is an empty message.</summary>
    Value,

    /// <summary>A nullable collection: an empty message is a collection without items.</summary>
    Items,
}
