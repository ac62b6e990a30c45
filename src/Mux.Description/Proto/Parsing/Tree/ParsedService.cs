namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>A service.</summary>
internal sealed class ParsedService(ProtoService model, ParsedFile file) : ParsedNode
{
    public ProtoService Model { get; } = model;

    public override ParsedFile File { get; } = file;

    public override ParsedNode Parent => File;

    public override string OptionsName => "ServiceOptions";

    public override string Target => "TARGET_TYPE_SERVICE";

    public override string Scope => Model.FullName;

    public override ProtoPosition Position => Model.Position;

    public List<ParsedMethod> Methods { get; } = [];
}
