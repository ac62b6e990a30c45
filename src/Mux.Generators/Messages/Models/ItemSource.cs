namespace Mux.Generators.Messages.Models;

/// <summary>Ways in which generated code enumerates and counts the items of a collection.</summary>
internal enum ItemSource
{
    /// <summary>A class derived from List: its items are contiguous.</summary>
    List,

    /// <summary>An ImmutableArray.</summary>
    Span,

    /// <summary>A collection whose enumerator is a struct, with a Count.</summary>
    Counted,

    /// <summary>A collection with IsEmpty instead of Count: protobuf-net does not count it, and so packs it only if it is empty.</summary>
    Uncounted,

    /// <summary>A collection behind an interface.</summary>
    Held,

    /// <summary>A map behind an interface.</summary>
    HeldEntries,
}
