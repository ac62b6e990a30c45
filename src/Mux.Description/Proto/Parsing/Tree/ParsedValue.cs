namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>A value of an option, or of a field in one.</summary>
internal sealed class ParsedValue(ParsedValueKind kind, ProtoPosition position)
{
    public ParsedValueKind Kind { get; } = kind;

    public ProtoPosition Position { get; } = position;

    public string Text { get; set; } = string.Empty;

    public bool IsNegative { get; set; }

    /// <summary>Gets or sets the integer without its sign.</summary>
    public ulong Integer { get; set; }

    /// <summary>Gets or sets the number with its sign.</summary>
    public double Number { get; set; }

    public byte[] Bytes { get; set; } = [];

    /// <summary>Gets the fields of a message.</summary>
    public List<ParsedLiteralField> Fields { get; } = [];

    /// <summary>Gets the values of a list.</summary>
    public List<ParsedValue> Items { get; } = [];
}
