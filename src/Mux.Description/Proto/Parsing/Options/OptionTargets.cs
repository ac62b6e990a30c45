using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Options;

/// <summary>Reads what the field of an option says about where it may be set.</summary>
internal static class OptionTargets
{
    public static bool Allow(ParsedField option, ParsedNode node)
    {
        var targets = option.Values?.All("targets") ?? [];
        if (targets.Count == 0) return true;

        // The entry of a map has the features of its field, whatever they are for.
        return targets.Contains(node.Target) || node is ParsedField { Container.Model.IsMapEntry: true };
    }
}
