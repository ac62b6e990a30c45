using Mux.Description.Proto.Parsing.Checking;

namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>A message.</summary>
internal sealed class ParsedMessage(ProtoMessage model, ParsedFile file, ParsedMessage? container) : ParsedNode
{
    private Dictionary<string, ParsedField>? _fieldsByName;
    private List<ParsedField>? _requiredFields;
    private RangeChecks? _extensionRanges;

    public ProtoMessage Model { get; } = model;

    public override ParsedFile File { get; } = file;

    public ParsedMessage? Container { get; } = container;

    public override ParsedNode Parent => (ParsedNode?)Container ?? File;

    public override string OptionsName => "MessageOptions";

    public override string Target => "TARGET_TYPE_MESSAGE";

    public override string Scope => Model.FullName;

    public override ProtoPosition Position => Model.Position;

    public List<ParsedField> Fields { get; } = [];

    public List<ParsedOneof> Oneofs { get; } = [];

    public List<ParsedMessage> Messages { get; } = [];

    public List<ParsedEnum> Enums { get; } = [];

    public List<ParsedField> Extensions { get; } = [];

    public List<ParsedRange> ExtensionRanges { get; } = [];

    public List<ParsedRange> Reserved { get; } = [];

    public List<ParsedName> ReservedNames { get; } = [];

    public IReadOnlyList<ParsedField> RequiredFields => _requiredFields ??= Fields.FindAll(static each => each.Label == ParsedLabel.Required);

    public bool IsMessageSet => Values?.Flag("message_set_wire_format") == true;

    /// <summary>Says whether extensions may have a number. All ranges are known then.</summary>
    public bool AllowsExtension(int number) => (_extensionRanges ??= RangeChecks.Of(ExtensionRanges)).Find(number) is not null;

    public ParsedField? Find(string name)
    {
        if (_fieldsByName is null)
        {
            _fieldsByName = new(StringComparer.Ordinal);
            foreach (var field in Fields) _fieldsByName[field.Model.Name] = field;
        }

        return _fieldsByName.TryGetValue(name, out var found) ? found : null;
    }
}
