namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>The word before the type of a field.</summary>
internal enum ParsedLabel
{
    /// <summary>No word.</summary>
    None,

    /// <summary>The word <c>optional</c>.</summary>
    Optional,

    /// <summary>The word <c>required</c>.</summary>
    Required,

    /// <summary>The word <c>repeated</c>, and maps.</summary>
    Repeated,
}
