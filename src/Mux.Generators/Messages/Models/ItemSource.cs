namespace Mux.Generators.Messages.Models;

/// <summary>How generated code takes the items out of a collection, and how it learns their number.</summary>
internal enum ItemSource
{
    /// <summary>A class derived from List: its items stand side by side.</summary>
    List,

    /// <summary>An ImmutableArray.</summary>
    Span,

    /// <summary>A collection whose enumerator is a struct, with a Count.</summary>
    Counted,

    /// <summary>The same with IsEmpty instead of Count: protobuf-net does not count it, and so packs it only if it is empty.</summary>
    Uncounted,

    /// <summary>Whatever an interface hides.</summary>
    Held,

    /// <summary>A map that an interface hides.</summary>
    HeldEntries,
}
