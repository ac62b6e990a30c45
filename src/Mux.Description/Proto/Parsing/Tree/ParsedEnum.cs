namespace Mux.Description.Proto.Parsing.Tree;

/// <summary>An enum.</summary>
internal sealed class ParsedEnum(ProtoEnum model, ParsedFile file, ParsedMessage? container) : ParsedNode
{
    private Dictionary<string, ParsedEnumValue>? _valuesByName;
    private Dictionary<long, ParsedEnumValue>? _valuesByNumber;

    public ProtoEnum Model { get; } = model;

    public override ParsedFile File { get; } = file;

    public ParsedMessage? Container { get; } = container;

    public override ParsedNode Parent => (ParsedNode?)Container ?? File;

    public override string OptionsName => "EnumOptions";

    public override string Target => "TARGET_TYPE_ENUM";

    public override string Scope => Model.FullName;

    public override ProtoPosition Position => Model.Position;

    public List<ParsedEnumValue> Members { get; } = [];

    public List<ParsedRange> Reserved { get; } = [];

    public List<ParsedName> ReservedNames { get; } = [];

    public ParsedEnumValue? Find(string name)
    {
        if (_valuesByName is null)
        {
            _valuesByName = new(StringComparer.Ordinal);
            foreach (var value in Members) _valuesByName[value.Model.Name] = value;
        }

        return _valuesByName.TryGetValue(name, out var found) ? found : null;
    }

    /// <summary>Finds the first value with a number.</summary>
    public ParsedEnumValue? Find(long number)
    {
        if (_valuesByNumber is null)
        {
            _valuesByNumber = [];
            foreach (var value in Members)
            {
                if (!_valuesByNumber.ContainsKey(value.Model.Number)) _valuesByNumber.Add(value.Model.Number, value);
            }
        }

        return _valuesByNumber.TryGetValue(number, out var found) ? found : null;
    }
}
