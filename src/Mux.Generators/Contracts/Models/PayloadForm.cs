namespace Mux.Generators.Contracts.Models;

/// <summary>Relation of a payload's C# type to the written value.</summary>
internal enum PayloadForm
{
    /// <summary>The written value itself.</summary>
    Value,

    /// <summary>A Result of the written value.</summary>
    Result,

    /// <summary>A chunk of bytes, written unchanged.</summary>
    Bytes,

    /// <summary>A message of a method with callbacks to its caller, which holds other payloads.</summary>
    CallbackMessage,

    /// <summary>The answer to a callback, which holds another payload.</summary>
    CallbackAnswer,
}
