namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>Numbers that are reserved or free for extensions, before the greatest number is known.</summary>
internal sealed class ParsedRange(int first, int last, ProtoPosition position, ParsedNode container) : ParsedNode
{
    /// <summary>Stands for <c>max</c>.</summary>
    public const int Max = -1;

    public int First { get; } = first;

    public int Last { get; set; } = last;

    public override ParsedFile File => container.File;

    public override ParsedNode Parent => container;

    public override string OptionsName => "ExtensionRangeOptions";

    public override string Target => "TARGET_TYPE_EXTENSION_RANGE";

    public override string Scope => container.Scope;

    public override ProtoPosition Position { get; } = position;
}
