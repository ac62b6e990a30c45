using System.CommandLine;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary>The option for the congestion control of connections.</summary>
internal static class CongestionOption
{
    private const string Name = "--congestion";

    // Stands for the system's own choice.
    private const string OfSystem = "system";

    /// <param name="whose">Whose connections.</param>
    /// <param name="fallback">What the default is.</param>
    public static Option<string?> Create(string whose, string fallback) => new(Name)
    {
        Description = $"Congestion control of {whose}, such as reno, or {OfSystem} for the system's choice; Linux only [default: {fallback}]",
        HelpName = "NAME",
        CustomParser = result => result.Tokens[0].Value is var name && name != OfSystem && CongestionControl.Check(name) is { } failure
            ? CheckedOption.Reject<string>(result, Name, failure)
            : name,
    };

    /// <summary>Gets the value of the option; null for the system's choice.</summary>
    /// <param name="result">The command line.</param>
    /// <param name="option">The option.</param>
    /// <param name="fallback">The value if the option is not given.</param>
    public static string? Read(ParseResult result, Option<string?> option, string? fallback = null) =>
        (result.GetValue(option) ?? fallback) is { } name && name != OfSystem ? name : null;
}
