namespace Mux.Generators.Messages.Models;

/// <summary>The C# type that holds bytes.</summary>
internal enum BytesForm
{
    Array,

    /// <summary>ArraySegment of bytes.</summary>
    Segment,

    /// <summary>Memory or ReadOnlyMemory of bytes.</summary>
    Memory,
}
