using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary>Creates options whose errors name the option, the value and the allowed range.</summary>
internal static class CheckedOption
{
    /// <summary>Addresses of servers, for help texts.</summary>
    public const string Addresses = "mux://host:port, muxs://host:port, mux+unix:///path, mux+pipe://name, mux+ws://host:port/path or mux+wss://host:port/path";

    /// <summary>Targets with several servers, for help texts.</summary>
    public const string Lists = "mux://host:port,host:port (or muxs), mux+dns://name:port or muxs+dns://name:port";

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

    /// <summary>Creates a number of bytes.</summary>
    public static Option<ByteCount> Bytes(string name, long fallback, long min, long max, string description) => new(name)
    {
        Description = $"{description} ({new ByteCount(min)} to {new ByteCount(max)})",
        HelpName = "BYTES",
        DefaultValueFactory = _ => new ByteCount(fallback),
        CustomParser = result => ByteCount.TryParse(result.Tokens[0].Value, min, max, out var count)
            ? count : Reject<ByteCount>(result, name, $"expected {ByteCount.Expected(min, max)}"),
    };

    /// <summary>Creates a number of bytes whose default depends on other options.</summary>
    public static Option<ByteCount?> Bytes(string name, long min, long max, string description, string fallback) => new(name)
    {
        Description = $"{description}{(max == int.MaxValue ? "" : $" ({new ByteCount(min)} to {new ByteCount(max)})")} [default: {fallback}]",
        HelpName = "BYTES",
        CustomParser = result =>
        {
            if (ByteCount.TryParse(result.Tokens[0].Value, min, max, out var count)) return count;
            return Reject<ByteCount?>(result, name, max == int.MaxValue ? $"expected bytes; {ByteCount.Units}" : $"expected {ByteCount.Expected(min, max)}");
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

    /// <summary>True if an option is on the command line.</summary>
    public static bool IsGiven(this ParseResult result, Option option) => result.GetResult(option) is { Implicit: false };

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
    public static Option<int[]> Numbers(string name, int[] fallback, int min, int max, string description, params string[] aliases) =>
        List(
            name, "N,N", fallback, $"whole numbers from {min} to {max}", $"{description}, separated by commas ({min} to {max} each)",
            (string text, out int number) => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number >= min && number <= max,
            aliases);

    /// <summary>Creates a list of distinct numbers of bytes separated by commas.</summary>
    public static Option<int[]> ByteCounts(string name, int[] fallback, int min, int max, string description) =>
        List(
            name, "BYTES,BYTES", fallback, ByteCount.Expected(min, max), $"{description}, separated by commas ({min} to {max} each)",
            (string text, out int number) =>
            {
                bool isCount = ByteCount.TryParse(text, min, max, out var count);
                number = isCount ? (int)count.Value : 0;
                return isCount;
            });

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

    /// <summary>Parses an address, a list of addresses, or a name, for an argument.</summary>
    public static TargetAddress? Target(ArgumentResult result, string name)
    {
        if (TargetAddress.TryParse(result.Tokens[0].Value, out var target, out var failure)) return target;
        result.AddError($"{name}: {failure}");
        return null;
    }

    /// <exception cref="ToolException">The target has the port 0, which is for listeners.</exception>
    public static TargetAddress WithPort(TargetAddress target, string name) =>
        target.Single is not { Scheme: MuxAddress.TcpScheme or MuxAddress.TlsScheme, Port: 0 } ? target
            : throw new ToolException(ExitCode.Usage, $"{name}: '{target}' has port 0: expected 1 to 65535.");

    private static Option<int[]> List(
        string name, string helpName, int[] fallback, string expected, string description, TryParse<int> tryParse, params string[] aliases) =>
        new(name, aliases)
        {
            Description = description,
            HelpName = helpName,
            DefaultValueFactory = _ => fallback,
            CustomParser = result =>
            {
                var numbers = new List<int>();
                foreach (var text in result.Tokens[0].Value.Split(','))
                {
                    if (!tryParse(text, out int number))
                        return Reject<int[]>(result, name, $"expected {expected}, separated by commas, such as {string.Join(',', fallback)}");
                    if (!numbers.Contains(number)) numbers.Add(number);
                }

                return [.. numbers];
            },
        };

    /// <summary>Adds the error for the value of an option, or of an argument.</summary>
    /// <returns>The default, which stands for no value.</returns>
    public static T? Reject<T>(ArgumentResult result, string name, string reason)
    {
        result.AddError($"{name} '{result.Tokens[0].Value}': {reason}.");
        return default;
    }
}
