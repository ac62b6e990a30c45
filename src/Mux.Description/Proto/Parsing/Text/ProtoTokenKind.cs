namespace Mux.Description.Proto.Parsing.Text;

/// <summary>Kinds of tokens.</summary>
internal enum ProtoTokenKind
{
    /// <summary>Nothing follows.</summary>
    End,

    /// <summary>Letters, digits and <c>_</c>.</summary>
    Identifier,

    /// <summary>Decimal, octal or hexadecimal.</summary>
    Integer,

    /// <summary>With a point or an exponent.</summary>
    Float,

    /// <summary>With its quotes and escapes.</summary>
    String,

    /// <summary>Any other character.</summary>
    Symbol,
}
