namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>A method.</summary>
internal sealed class ParsedMethod(ProtoMethod model, ParsedService container) : ParsedNode
{
    public ProtoMethod Model { get; } = model;

    public override ParsedFile File => container.File;

    public override ParsedNode Parent => container;

    public override string OptionsName => "MethodOptions";

    public override string Target => "TARGET_TYPE_METHOD";

    public override string Scope => Model.FullName;

    public override ProtoPosition Position => Model.Position;

    public ProtoPosition RequestPosition { get; set; }

    public ProtoPosition ResponsePosition { get; set; }
}
