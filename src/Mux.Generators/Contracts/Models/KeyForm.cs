namespace Mux.Generators.Contracts.Models;

/// <summary>How an affinity key is hashed.</summary>
internal enum KeyForm
{
    /// <summary>A text, a Guid, or bytes in a form that converts to a span: as it is.</summary>
    AsIs,

    /// <summary>A signed integer, or an enum of one: as a long.</summary>
    Signed,

    /// <summary>An unsigned integer, or an enum of one: as a ulong.</summary>
    Unsigned,

    /// <summary>Memory of bytes: as its span.</summary>
    Memory,
}
