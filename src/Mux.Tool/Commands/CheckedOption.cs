using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Text.Json;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary>Creates options whose errors name the option, the value and the allowed range.</summary>
internal static class CheckedOption
{
    /// <summary>Addresses of servers, for help texts.</summary>
    public const string Addresses = "mux://host:port, muxs://host:port, mux+unix:///path, mux+pipe://name, mux+ws://host:port/path or mux+wss://host:port/path";

    public static Option<int> Number(string name, int fallback, int min, int max, string description) => new(name)
    {
        Description = $"{description} ({min} to {max})",
        HelpName = "N",
        DefaultValueFactory = _ => fallback,
        CustomParser = result =>
        {
            var text = result.Tokens[0].Value;
            if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value >= min && value <= max) return value;
            return Reject<int>(result, name, $"expected a whole number from {min} to {max}");
        },
    };

    /// <summary>Creates a number whose default depends on other options.</summary>
    public static Option<int?> Number(string name, int min, int max, string description, string fallback, params string[] aliases) => new(name, aliases)
    {
        Description = $"{description}{(max == int.MaxValue ? "" : $" ({min} to {max})")} [default: {fallback}]",
        HelpName = "N",
        CustomParser = result =>
        {
            var text = result.Tokens[0].Value;
            if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int value) && value >= min && value <= max) return value;
            return Reject<int?>(result, name, max == int.MaxValue ? "expected a whole number" : $"expected a whole number from {min} to {max}");
        },
    };

    public static Option<Duration> Time(string name, TimeSpan fallback, TimeSpan min, TimeSpan max, string description, params string[] aliases) =>
        new(name, aliases)
        {
            Description = $"{description} ({new Duration(min)} to {new Duration(max)})",
            HelpName = "TIME",
            DefaultValueFactory = _ => new Duration(fallback),
            CustomParser = result =>
            {
                if (!Duration.TryParse(result.Tokens[0].Value, out var duration)) return Reject<Duration>(result, name, $"expected {Duration.Expected}");
                if (duration.Value >= min && duration.Value <= max) return duration;
                return Reject<Duration>(result, name, $"expected {new Duration(min)} to {new Duration(max)}");
            },
        };

    /// <summary>Creates an optional value without a default.</summary>
    public static Option<T?> Parsed<T>(string name, string helpName, TryParse<T> tryParse, string expected, string description, params string[] aliases)
        where T : struct
    {
        return new Option<T?>(name, aliases)
        {
            Description = description,
            HelpName = helpName,
            CustomParser = result => tryParse(result.Tokens[0].Value, out var value) ? value : Reject<T?>(result, name, $"expected {expected}"),
        };
    }

    /// <summary>Creates a choice of enum members, whose names are words joined by dashes.</summary>
    /// <param name="name">Name of the option.</param>
    /// <param name="fallback">Default.</param>
    /// <param name="description">Description of the option.</param>
    /// <param name="allowed">Members to choose from; empty for all.</param>
    public static Option<string> Choice<T>(string name, T fallback, string description, params T[] allowed)
        where T : struct, Enum
    {
        var names = Array.ConvertAll(allowed.Length == 0 ? Enum.GetValues<T>() : allowed, member => NameOf(member.ToString()));
        return new Option<string>(name)
        {
            Description = $"{description}: {string.Join(", ", names)}",
            HelpName = "NAME",
            DefaultValueFactory = _ => NameOf(fallback.ToString()),
            CustomParser = result => names.Contains(result.Tokens[0].Value)
                ? result.Tokens[0].Value
                : Reject<string>(result, name, $"expected one of {string.Join(", ", names)}"),
        };
    }

    /// <summary>Gets the value of an option made by <see cref="Choice"/>.</summary>
    public static T Chosen<T>(this ParseResult result, Option<string> option)
        where T : struct, Enum => Enum.Parse<T>(result.GetRequiredValue(option).Replace("-", "", StringComparison.Ordinal), ignoreCase: true);

    /// <summary>True if an option is on the command line.</summary>
    public static bool IsGiven(this ParseResult result, Option option) => result.GetResult(option) is { Implicit: false };

    /// <summary>Name of the system's own choice of congestion control.</summary>
    public const string SystemCongestion = "system";

    /// <summary>Creates the option for the congestion control of connections.</summary>
    /// <param name="whose">Whose connections.</param>
    /// <param name="fallback">What the default is.</param>
    public static Option<string?> Congestion(string whose, string fallback)
    {
        const string Name = "--congestion";
        return new Option<string?>(Name)
        {
            Description = $"Congestion control of {whose}, such as reno, or {SystemCongestion} for the system's choice; Linux only " +
                $"[default: {fallback}]",
            HelpName = "NAME",
            CustomParser = result => result.Tokens[0].Value is var name && name != SystemCongestion && CongestionControl.Check(name) is { } failure
                ? Reject<string>(result, Name, failure)
                : name,
        };
    }

    /// <summary>Gets the value of an option made by <see cref="Congestion(string, string)"/>; null for the system's choice.</summary>
    /// <param name="result">The command line.</param>
    /// <param name="option">The option.</param>
    /// <param name="fallback">The value if the option is not given.</param>
    public static string? Congestion(this ParseResult result, Option<string?> option, string? fallback = null) =>
        (result.GetValue(option) ?? fallback) is { } name && name != SystemCongestion ? name : null;

    /// <summary>Creates a share in percent.</summary>
    public static Option<Share> Share(string name, double fallback, double min, double max, string description) => new(name)
    {
        Description = $"{description} ({new Share(min)} to {new Share(max)})",
        HelpName = "SHARE",
        DefaultValueFactory = _ => new Share(fallback),
        CustomParser = result => Commands.Share.TryParse(result.Tokens[0].Value, out var share) && share.Value >= min && share.Value <= max
            ? share
            : Reject<Share>(result, name, $"expected a share from {new Share(min)} to {new Share(max)}, such as {new Share(fallback)}"),
    };

    /// <summary>Creates a list of distinct numbers separated by commas.</summary>
    public static Option<int[]> Numbers(string name, int[] fallback, int min, int max, string description, params string[] aliases) => new(name, aliases)
    {
        Description = $"{description}, separated by commas ({min} to {max} each)",
        HelpName = "N,N",
        DefaultValueFactory = _ => fallback,
        CustomParser = result =>
        {
            var numbers = new List<int>();
            foreach (var text in result.Tokens[0].Value.Split(','))
            {
                if (!int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) || number < min || number > max)
                    return Reject<int[]>(result, name,
                        $"expected whole numbers from {min} to {max}, separated by commas, such as {string.Join(',', fallback)}");
                if (!numbers.Contains(number)) numbers.Add(number);
            }

            return [.. numbers];
        },
    };

    /// <summary>Creates the option for an output file.</summary>
    public static Option<string?> OutputFile(string name, string description) => new(name) { Description = description, HelpName = "FILE" };

    /// <summary>Parses an address for an option or argument.</summary>
    public static MuxAddress? Address(ArgumentResult result, string name)
    {
        var text = result.Tokens[0].Value;
        if (MuxAddress.TryParse(text, out var address, out var failure)) return address;
        result.AddError($"{name}: {failure}");
        return null;
    }

    private static T? Reject<T>(ArgumentResult result, string name, string reason)
    {
        result.AddError($"{name} '{result.Tokens[0].Value}': {reason}.");
        return default;
    }

    private static string NameOf(string member) => JsonNamingPolicy.KebabCaseLower.ConvertName(member);
}
