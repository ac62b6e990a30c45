using System.CommandLine;

namespace Mux.Tool.Commands;

/// <summary>A command whose help shows its options in groups, and examples.</summary>
internal sealed class ToolCommand(string name, string description) : Command(name, description)
{
    private readonly SortedDictionary<OptionGroup, List<Option>> _groups = [];

    /// <summary>The options by group, in the order of the groups.</summary>
    public IReadOnlyDictionary<OptionGroup, List<Option>> Groups => _groups;

    public IReadOnlyList<CommandExample> Examples { get; init; } = [];

    /// <summary>Adds options to the command, and to a group of its help.</summary>
    public void Add(OptionGroup group, params IEnumerable<Option> options)
    {
        if (!_groups.TryGetValue(group, out var members)) _groups.Add(group, members = []);
        foreach (var option in options)
        {
            members.Add(option);
            Options.Add(option);
        }
    }
}
