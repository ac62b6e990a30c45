namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>A group of fields.</summary>
internal sealed class ParsedOneof(ProtoOneof model, ParsedMessage container) : ParsedNode
{
    public ProtoOneof Model { get; } = model;

    public override ParsedFile File => container.File;

    public override ParsedNode Parent => container;

    public override string OptionsName => "OneofOptions";

    public override string Target => "TARGET_TYPE_ONEOF";

    public override string Scope => Model.FullName;

    public override ProtoPosition Position => Model.Position;

    public bool HasFields { get; set; }
}
