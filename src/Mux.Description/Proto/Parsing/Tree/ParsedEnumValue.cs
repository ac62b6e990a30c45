namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>A value of an enum.</summary>
internal sealed class ParsedEnumValue(ProtoEnumValue model, ParsedEnum container) : ParsedNode
{
    public ProtoEnumValue Model { get; } = model;

    public override ParsedFile File => container.File;

    public override ParsedNode Parent => container;

    public override string OptionsName => "EnumValueOptions";

    public override string Target => "TARGET_TYPE_ENUM_ENTRY";

    public override string Scope => Model.FullName;

    public override ProtoPosition Position => Model.Position;

    public ProtoPosition NumberPosition { get; set; }
}
