namespace Mux.Description.Proto.Parsing.Grammar;

/// <summary>Counts the types and members of all files of one run, which have common limits.</summary>
internal sealed class ParseBudget
{
    private int _types;
    private int _members;

    /// <returns>What is too much; null if there is room.</returns>
    public string? TakeType() =>
        ++_types > ProtoLimits.Types ? $"The files have more than {ProtoLimits.Types} messages, enums and services." : null;

    public string? TakeMember() => ++_members > ProtoLimits.Members
        ? $"The files have more than {ProtoLimits.Members} fields, values, methods, ranges and options."
        : null;
}
