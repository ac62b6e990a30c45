using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Options;

/// <summary>Says where an option may be set: its own option <c>targets</c> lists the places.</summary>
internal sealed class OptionTargets(ParsedField option)
{
    private readonly HashSet<object> _targets = [];
    private int _read;

    public bool Allow(ParsedNode node)
    {
        // The list grows while the options of the option itself are read.
        var targets = option.Values?.All("targets") ?? [];
        for (; _read < targets.Count; _read++) _targets.Add(targets[_read]);

        // The entry of a map has the features of its field, whatever they are for.
        return _targets.Count == 0 || _targets.Contains(node.Target) || node is ParsedField { Container.Model.IsMapEntry: true };
    }
}
