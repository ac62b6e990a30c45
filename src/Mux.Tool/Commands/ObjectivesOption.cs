using System.CommandLine;
using Mux.Tool.Capacity;

namespace Mux.Tool.Commands;

/// <summary>Creates the option for objectives.</summary>
internal static class ObjectivesOption
{
    public const string Name = "--slo";

    /// <param name="use">What the command does with them.</param>
    /// <param name="isRequired">True if the command needs them.</param>
    public static Option<Objectives?> Create(string use, bool isRequired) => new(Name)
    {
        Description = $"{use}, such as \"p99<2ms,errors<0.1%\": percentiles p50 to p99.99 of the response time, and the share of failed calls",
        HelpName = "OBJECTIVES",
        Required = isRequired,
        CustomParser = result =>
        {
            var read = Objectives.Parse(result.Tokens[0].Value, out var failure);
            if (read is null) result.AddError($"{Name} '{result.Tokens[0].Value}': {failure}.");
            return read;
        },
    };
}
