namespace Mux.Generators.Messages.Models;

/// <summary>C# types that hold bytes.</summary>
internal enum BytesForm
{
    Array,

    /// <summary>ArraySegment of bytes.</summary>
    Segment,

    /// <summary>Memory or ReadOnlyMemory of bytes.</summary>
    Memory,
}
