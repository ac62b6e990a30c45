namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>A file.</summary>
internal sealed class ParsedFile(string name, FileFaults faults) : ParsedNode
{
    public ProtoFile Model { get; } = new() { Name = name };

    public FileFaults Faults { get; } = faults;

    public override ParsedFile File => this;

    public override ParsedNode? Parent => null;

    public override string OptionsName => "FileOptions";

    public override string Target => "TARGET_TYPE_FILE";

    public override string Scope => Model.Package.Length == 0 ? "file" : Model.Package + ".file";

    public override ProtoPosition Position => default;

    public ProtoPosition PackagePosition { get; set; }

    public List<ParsedMessage> Messages { get; } = [];

    public List<ParsedEnum> Enums { get; } = [];

    public List<ParsedService> Services { get; } = [];

    public List<ParsedField> Extensions { get; } = [];

    /// <summary>Gets the files that it imports, in the order of the imports.</summary>
    public List<ParsedFile> Imports { get; } = [];

    /// <summary>Gets the files whose names it may use, itself included.</summary>
    public HashSet<ParsedFile> Visible { get; } = [];

    /// <summary>Gets the files whose names it uses.</summary>
    public HashSet<ParsedFile> Used { get; } = [];

    public bool IsEdition => Model.Syntax == ProtoSyntax.Edition2023;

    public bool IsProto3 => Model.Syntax == ProtoSyntax.Proto3;

    public bool IsLite => Values?.Text("optimize_for") == "LITE_RUNTIME";
}
