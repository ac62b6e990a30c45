namespace Mux.Generators.Contracts.Models;

/// <summary>How the C# type of a payload stands to what is written.</summary>
internal enum PayloadForm
{
    /// <summary>It is what is written.</summary>
    Value,

    /// <summary>It is a Result of what is written.</summary>
    Result,

    /// <summary>It is a chunk of bytes, which are written as they are.</summary>
    Bytes,
}
