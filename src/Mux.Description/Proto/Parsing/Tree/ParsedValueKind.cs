namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>Kinds of values of options.</summary>
internal enum ParsedValueKind
{
    /// <summary>A name, such as <c>true</c>.</summary>
    Identifier,

    /// <summary>An integer of at most 64 bits.</summary>
    Integer,

    /// <summary>Any other number.</summary>
    Number,

    /// <summary>Text in quotes.</summary>
    String,

    /// <summary>Fields between braces.</summary>
    Message,

    /// <summary>Values between brackets, in messages only.</summary>
    List,
}
