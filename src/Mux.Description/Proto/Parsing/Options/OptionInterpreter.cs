using Mux.Description.Proto.Parsing.Linking;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Options;

/// <summary>Finds the fields that options name, and gives them their values.</summary>
internal sealed class OptionInterpreter
{
    private readonly ParsedFile _file;
    private readonly NameResolver _names;
    private readonly Dictionary<ParsedNode, Symbol> _scopes;
    private readonly OptionSchema _schema;
    private readonly ValueReader _values;
    private ParsedRange? _lastRange;

    public OptionInterpreter(ParsedFile file, NameResolver names, Dictionary<ParsedNode, Symbol> scopes, OptionSchema schema)
    {
        _file = file;
        _names = names;
        _scopes = scopes;
        _schema = schema;
        _values = new ValueReader(file.Faults, FindExtension);
    }

    public void Interpret()
    {
        foreach (var node in NodeWalk.All(_file))
        {
            if (node.Options.Count > 0) Interpret(node);
        }
    }

    private void Interpret(ParsedNode node)
    {
        if (node is ParsedRange range)
        {
            // Ranges of one statement share their options: reading them for each would take the square of their number.
            if (_lastRange?.Options == range.Options)
            {
                node.Values = _lastRange.Values;
                return;
            }

            _lastRange = range;
        }

        node.Values = new OptionMessage();
        foreach (var option in node.Options) Interpret(node, option);
    }

    private void Interpret(ParsedNode node, ParsedOption option)
    {
        var type = _schema.Of(node);
        var target = node.Values!;
        for (int i = 0; i < option.Name.Count; i++)
        {
            var part = option.Name[i];
            var field = part.IsExtension ? FindExtension(part.Text, type, node) : Find(part.Text, type);
            if (field is null)
            {
                _file.Faults.Error(option.Position,
                    $"The option '{option}' is not declared: '{part}' is not a field of {type.Model.FullName} and no extension that this file sees.");
                return;
            }

            if (!field.Targets.Allow(node))
            {
                _file.Faults.Error(option.Position, $"The option '{option}' cannot be set here.");
                return;
            }

            var key = KeyOf(field);
            if (i == option.Name.Count - 1)
            {
                _values.Set(target, field, option.Value, option.ToString(), option.Position, node);
                return;
            }

            if (field.Message is null || field.Model.IsRepeated)
            {
                _file.Faults.Error(option.Position,
                    $"The option '{option}' is not declared: '{part}' is {(field.Message is null ? "not a message" : "repeated, and is set as a whole")}.");
                return;
            }

            if (target.Message(key) is not { } child) target.Add(key, child = new OptionMessage());
            (target, type) = (child, field.Message);
        }
    }

    public static string KeyOf(ParsedField field) => field.IsExtension ? $"[{field.Model.FullName}]" : field.Model.Name;

    private static ParsedField? Find(string name, ParsedMessage type) =>
        name == "uninterpreted_option" ? null : type.Find(name);

    private ParsedField? FindExtension(string name, ParsedMessage type, ParsedNode node)
    {
        if (ScopeOf(node) is not { } scope) return null;
        var found = _names.Find(name, scope, needsType: false, out _)?.Node as ParsedField;
        return found is { IsExtension: true } && found.ExtendedMessage?.Model.FullName == type.Model.FullName ? found : null;
    }

    private Symbol? ScopeOf(ParsedNode node)
    {
        if (node is ParsedRange) node = node.Parent!;
        if (!_scopes.TryGetValue(node, out var symbol)) return null;
        return node is ParsedFile ? symbol : symbol.Parent;
    }
}
