namespace Mux.Description.Proto.Parsing.Linking;

/// <summary>Kinds of things with a full name.</summary>
internal enum SymbolKind
{
    /// <summary>A package, or a part of one.</summary>
    Package,

    /// <summary>A message.</summary>
    Message,

    /// <summary>An enum.</summary>
    Enum,

    /// <summary>A service.</summary>
    Service,

    /// <summary>A field, oneof, value or method: nothing is in it, and no type is named so.</summary>
    Member,

    /// <summary>An extension.</summary>
    Extension,
}
