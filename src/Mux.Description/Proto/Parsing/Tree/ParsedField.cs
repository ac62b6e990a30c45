using Mux.Description.Proto.Parsing.Options;

namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>A field of a message, or an extension.</summary>
internal sealed class ParsedField(ProtoField model, ParsedFile file, ParsedMessage? container) : ParsedNode
{
    private OptionTargets? _targets;

    public ProtoField Model { get; } = model;

    public override ParsedFile File { get; } = file;

    /// <summary>Gets the message in which it stands; null for an extension outside of messages.</summary>
    public ParsedMessage? Container { get; } = container;

    public override ParsedNode Parent => (ParsedNode?)Oneof ?? (ParsedNode?)Container ?? File;

    public override string OptionsName => "FieldOptions";

    public override string Target => "TARGET_TYPE_FIELD";

    public override string Scope => Model.FullName;

    public override ProtoPosition Position => Model.Position;

    public ParsedLabel Label { get; set; }

    /// <summary>Gets or sets a value indicating whether the kind of the type must still be found by its name.</summary>
    public bool IsKindOpen { get; set; }

    public ProtoPosition TypePosition { get; set; }

    public ProtoPosition NumberPosition { get; set; }

    public ProtoPosition DefaultPosition { get; set; }

    public bool HasJsonName { get; set; }

    public ParsedOneof? Oneof { get; set; }

    /// <summary>Gets or sets the message that it extends as the file has it; without a text if it is no extension.</summary>
    public ParsedName Extended { get; set; }

    /// <summary>Gets or sets the message that it extends.</summary>
    public ParsedMessage? ExtendedMessage { get; set; }

    /// <summary>Gets or sets the message that is its type: of a group or a map at once, of others when names are resolved.</summary>
    public ParsedMessage? Message { get; set; }

    public ParsedEnum? Enum { get; set; }

    /// <summary>Gets where it may be set, if it is an option.</summary>
    public OptionTargets Targets => _targets ??= new(this);

    public bool IsExtension => Extended.Text is not null;

    public bool IsProto3Optional => Label == ParsedLabel.Optional && File.IsProto3;

    public bool IsMap => Message is { Model.IsMapEntry: true };

    /// <summary>Gets a value indicating whether its items can be packed.</summary>
    public bool IsPackable =>
        Model.IsRepeated && Model.Kind is not (FieldKind.String or FieldKind.Bytes or FieldKind.Message or FieldKind.Group);
}
