using System.CommandLine;
using Mux.Tool.Load;
using Mux.Tool.Workloads;

namespace Mux.Tool.Commands;

/// <summary>Options of <c>mux bench</c> for when calls are made: as soon as others end (a closed loop), or at a rate (an open loop).</summary>
internal sealed class LoopOptions
{
    // Highest value that a server can be configured for. A server with the defaults accepts 4,096: further calls wait in the client, which is measured with
    // them.
    public const int LargestInFlight = 16_384;

    // At a million calls per second, that leaves a thousand timed calls per second.
    private const int LargestTimeEvery = 1_000;

    private const int LargestTokens = 1_000_000;

    private readonly Option<int?> _inFlight = CheckedOption.Number(
        "--in-flight", 1, LargestInFlight, "Closed loop: concurrent calls or streams on each connection",
        "200; of METHOD 5, of streams and mixed 1, of bulk 4");

    private readonly Option<int?> _timeEvery = CheckedOption.Number(
        "--time-every", 1, LargestTimeEvery, "Closed loop: time one call or item in N; each reading of the clock costs about 40 ns of CPU",
        "1; of server-stream and client-stream 16");

    private readonly Option<CallRate?> _rate = CheckedOption.Parsed<CallRate>(
        "--rate", "RATE", CallRate.TryParse, CallRate.Expected, "Open loop: calls per second on a fixed schedule, such as 500, 20k or 1.5m (1 to 10m)", "-r");

    private readonly Option<int> _maxOpen = CheckedOption.Number(
        "--max-open", BenchConfiguration.DefaultMaxOpen, 1, LargestTokens, "Open loop: maximum number of open calls; further calls are dropped and counted");

    private readonly Option<Duration> _maxLag = CheckedOption.Time(
        "--max-lag", BenchConfiguration.DefaultMaxLag, TimeSpan.FromMicroseconds(1), TimeSpan.FromSeconds(10),
        "Open loop: the run is valid if 99 % of the calls are made at most this late");

    public void AddTo(ToolCommand command) => command.Add(OptionGroup.Load, _inFlight, _timeEvery, _rate, _maxOpen, _maxLag);

    /// <exception cref="ToolException">An option is for the other loop, the workload has no open loop, or there are too many calls at once.</exception>
    public BenchConfiguration Read(ParseResult result, BenchConfiguration configuration)
    {
        var traits = configuration.Traits;
        configuration = configuration with
        {
            InFlight = result.GetValue(_inFlight) ?? traits.InFlight,
            TimeEvery = result.GetValue(_timeEvery) ?? traits.TimeEvery,
            Rate = result.GetValue(_rate)?.PerSecond,
            MaxOpen = result.GetValue(_maxOpen),
            MaxLag = result.GetValue(_maxLag).Value,
        };
        if (configuration.Rate is null)
        {
            CheckClosed(result, configuration);
            return configuration;
        }

        CheckOpen(result, configuration);
        return configuration with { MaxOpen = (int)Math.Min(configuration.MaxOpen, (long)LargestInFlight * configuration.Connections) };
    }

    private void CheckClosed(ParseResult result, BenchConfiguration configuration)
    {
        if (result.IsGiven(_maxOpen) || result.IsGiven(_maxLag))
        {
            throw LoadOptions.Wrong($"{(result.IsGiven(_maxOpen) ? _maxOpen.Name : _maxLag.Name)} applies to an open loop only: give a --rate.");
        }

        if (configuration.Tokens > LargestTokens)
        {
            throw LoadOptions.Wrong($"--connections times --in-flight is {configuration.Tokens}: expected up to {LargestTokens}.");
        }
    }

    private void CheckOpen(ParseResult result, BenchConfiguration configuration)
    {
        if (configuration.Traits.IsStream)
        {
            throw LoadOptions.Wrong($"--rate does not apply to --workload {WorkloadTraits.NameOf(configuration.Workload)}: streams are a closed loop, " +
                "each as fast as its receiver takes it.");
        }

        if (result.IsGiven(_timeEvery)) throw LoadOptions.Wrong("--time-every applies to a closed loop only: with a --rate all calls are timed.");
        if (result.IsGiven(_inFlight))
        {
            throw LoadOptions.Wrong("--in-flight applies to a closed loop only: with a --rate calls are open as long as they take, up to --max-open.");
        }

        if (configuration.MaxOpen < configuration.Connections)
        {
            throw LoadOptions.Wrong($"--max-open {configuration.MaxOpen}: expected at least one for each of the {configuration.Connections} connections.");
        }
    }
}
