using System.CommandLine;
using System.CommandLine.Parsing;
using Mux.Tool.Contracts;
using Mux.Tool.Load;
using Mux.Tool.Workloads;

namespace Mux.Tool.Commands;

/// <summary>What <c>mux bench</c> calls in place of a workload of its own: a method, with these requests.</summary>
internal sealed class MethodOptions
{
    private const string Example = "shop.Orders/Find";

    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(10);
    private static readonly Duration s_shortest = new(TimeSpan.FromMilliseconds(1)), s_longest = new(TimeSpan.FromHours(1));

    private readonly Argument<string?> _method = new("METHOD")
    {
        Description = $"A method of TARGET to call in place of a workload, as SERVICE/METHOD, such as {Example}",
        Arity = ArgumentArity.ZeroOrOne,
        CustomParser = ParseName,
    };

    private readonly Option<string?> _data = new(CallInput.Name, "-d")
    {
        Description = "The request of METHOD as JSON, or where it is: @FILE, or @- for the standard input. Several (an array, or one a line) are sent in " +
            "turn. Of a request stream an array has the items of a call",
        HelpName = "JSON",
    };

    private readonly Option<Duration?> _timeout = CheckedOption.Parsed<Duration>("--timeout", "TIME", IsTimeout, $"{s_shortest} to {s_longest}",
        $"How long a call of METHOD may take; it fails if it takes longer ({s_shortest} to {s_longest}) [default: as its contract says, otherwise 10s; " +
        "none for a response stream]");

    private readonly SourceOptions _sources = new();

    public void AddTo(ToolCommand command)
    {
        command.Arguments.Add(_method);
        command.Add(OptionGroup.Calls, _data, _timeout);
        _sources.AddTo(command);
    }

    /// <summary>Tells whether the command line names a method.</summary>
    /// <exception cref="ToolException">It does not, but has an option for one; or the name may be a secret.</exception>
    public bool IsGiven(ParseResult result)
    {
        if (result.GetValue(_method) is not null)
            return UnquotedMetadata.Describe(result) is not { } failure ? true : throw LoadOptions.Wrong(failure);
        if (_sources.All.Append(_data).Append(_timeout).FirstOrDefault(result.IsGiven) is not { } option) return false;
        throw LoadOptions.Wrong($"{option.Name} needs a METHOD after the TARGET, such as {Example}.");
    }

    /// <summary>Reads the contract of the method and the requests.</summary>
    /// <exception cref="ToolException">There is no such method, or it cannot be called with them.</exception>
    public async Task<BenchConfiguration> FindAsync(ParseResult result, BenchConfiguration configuration)
    {
        if (configuration.Workload != Workload.Method) return configuration;
        if (configuration.Deadline is not null && result.IsGiven(_timeout)) throw LoadOptions.Wrong("--deadline and --timeout exclude each other.");
        using var interrupt = new CancellationTokenSource();
        using var signals = new InterruptSignals(interrupt);
        var source = _sources.Read(result) ?? new ReflectedContracts(new ServerTarget(configuration.Target!, configuration.Links, s_timeout));
        var called = await CalledMethod.FindAsync(source, result.GetRequiredValue(_method)!, interrupt.Token).ConfigureAwait(false);
        Check(called, configuration);
        using var input = new CallInput(result.GetValue(_data));
        var requests = await RequestInput.ReadAsync(input, called, interrupt.Token).ConfigureAwait(false);
        return configuration with { Method = new MethodLoad(called, requests, TimeoutOf(called, result)) };
    }

    private TimeSpan TimeoutOf(CalledMethod called, ParseResult result) =>
        result.GetValue(_timeout)?.Value ?? Bounded(called.Method.Timeout) ?? (called.Method.IsResponseStream ? Timeout.InfiniteTimeSpan : s_timeout);

    // The description may be one of a stranger: what the option allows is enough.
    private static TimeSpan? Bounded(TimeSpan? timeout) => timeout is { TotalHours: > 1 } ? TimeSpan.FromHours(1) : timeout;

    private static void Check(CalledMethod called, BenchConfiguration configuration)
    {
        if (called.Method.Callbacks.Count > 0) throw LoadOptions.Wrong($"'{called.Name}' calls its caller back, which the tool does not serve.");
        if (configuration.StreamItems > 0 && !called.Method.IsResponseStream)
            throw LoadOptions.Wrong($"--stream-items does not apply to '{called.Name}': it has no response stream.");
    }

    private static string? ParseName(ArgumentResult result)
    {
        var name = result.Tokens[0].Value;
        int slash = name.LastIndexOf('/');
        return slash > 0 && slash < name.Length - 1 && name[0] != '-' && !name.Contains("://", StringComparison.Ordinal) ? name
            : CheckedOption.Reject<string>(result, "METHOD", $"expected SERVICE/METHOD, such as {Example}");
    }

    private static bool IsTimeout(string text, out Duration timeout) =>
        Duration.TryParse(text, out timeout) && timeout.Value >= s_shortest.Value && timeout.Value <= s_longest.Value;
}
