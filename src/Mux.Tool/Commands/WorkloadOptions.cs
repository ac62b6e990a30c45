using System.CommandLine;
using Mux.Tool.Load;
using Mux.Tool.Workloads;

namespace Mux.Tool.Commands;

/// <summary>Options of <c>mux bench</c> that apply only to some workloads.</summary>
internal sealed class WorkloadOptions
{
    private const int LargestWindow = 65_536;

    // For the smallest bulk size; larger sizes are limited by their bytes.
    private const int MostBulkInFlight = 64;

    // Leaves enough calls to learn how long a call takes.
    private const double MostCancelled = 0.9;

    private static readonly TimeSpan s_shortestDeadline = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_longestDeadline = TimeSpan.FromHours(1);

    private readonly Option<int?> _streamItems = CheckedOption.Number(
        "--stream-items", 0, 1_000_000_000,
        "Streams: items after which a stream ends and another is opened; 0: streams last until the run ends, those of METHOD as long as they are", "0");

    private readonly Option<int?> _window = CheckedOption.Number(
        "--window", 1, LargestWindow, "duplex, bulk-stream: items in flight on each stream", "200, 16");

    private readonly Option<string> _bulkOn = ChoiceOption.Create(
        "--bulk-on", BulkConnection.Same, "mixed: connections of the large replies: those of the small calls, or as many others");

    private readonly Option<int?> _bulkInFlight = CheckedOption.Number(
        "--bulk-in-flight", 1, MostBulkInFlight, "mixed: large replies in flight on each connection", "2");

    private readonly Option<Duration?> _deadline = CheckedOption.Parsed<Duration>(
        "--deadline", "TIME", IsDeadline, $"{new Duration(s_shortestDeadline)} to {new Duration(s_longestDeadline)}",
            "Give every call this deadline; calls that exceed it are counted separately");

    private readonly Option<Share?> _cancel = CheckedOption.Parsed<Share>(
        "--cancel", "SHARE", IsCancelled, $"a share above 0% up to {new Share(MostCancelled)}, such as 5%",
            "Cancel this share of the calls, each at a random moment; cancelled calls are counted separately");

    public void AddTo(ToolCommand command)
    {
        command.Add(OptionGroup.Calls, _deadline, _cancel);
        command.Add(OptionGroup.Streams, _streamItems, _window, _bulkOn, _bulkInFlight);
    }

    /// <exception cref="ToolException">An option does not fit the workload.</exception>
    public BenchConfiguration Read(ParseResult result, BenchConfiguration configuration)
    {
        var traits = configuration.Traits;
        if (configuration.Workload != Workload.Method) CheckSuits(_streamItems, traits => traits.IsStream); // of a method its contract decides
        CheckSuits(_window, traits => traits.Window is not null);
        CheckSuits(_bulkOn, traits => traits.IsMixed);
        CheckSuits(_bulkInFlight, traits => traits.IsMixed);
        CheckSuits(_deadline, traits => traits.IsCallsAlone);
        CheckSuits(_cancel, traits => traits.IsCallsAlone);
        return configuration with
        {
            StreamItems = result.GetValue(_streamItems).GetValueOrDefault(),
            Window = result.GetValue(_window) ?? traits.Window,
            BulkOn = result.Chosen<BulkConnection>(_bulkOn),
            BulkInFlight = traits.IsMixed ? result.GetValue(_bulkInFlight) ?? 2 : 0,
            Deadline = result.GetValue(_deadline)?.Value,
            CancelShare = result.GetValue(_cancel).GetValueOrDefault().Value,
        };

        void CheckSuits(Option option, Func<WorkloadTraits, bool> suits)
        {
            if (result.IsGiven(option) && !suits(traits)) throw LoadOptions.NotFor(option.Name, configuration.Workload, suits);
        }
    }

    /// <summary>Limits large messages in flight: incomplete ones wait for their last fragments in bounded memory.</summary>
    /// <exception cref="ToolException">A connection would exceed the limit.</exception>
    public static void CheckBulk(BenchConfiguration configuration)
    {
        var (option, inFlight) = configuration.Traits switch
        {
            { IsMixed: true } => ("--bulk-in-flight", configuration.BulkInFlight),
            { IsBulk: true, IsStream: false } when configuration.Rate is null => ("--in-flight", configuration.InFlight),
            _ => ("", 0),
        };
        long bytes = (long)inFlight * configuration.Size.GetValueOrDefault();
        if (bytes > WorkloadTraits.MaxBulkInFlight)
        {
            throw LoadOptions.Wrong($"{option} times --size is {bytes}: expected up to {WorkloadTraits.MaxBulkInFlight}.");
        }
    }

    private static bool IsDeadline(string text, out Duration deadline) =>
        Duration.TryParse(text, out deadline) && deadline.Value >= s_shortestDeadline && deadline.Value <= s_longestDeadline;

    private static bool IsCancelled(string text, out Share share) => Share.TryParse(text, out share) && share.Value is > 0 and <= MostCancelled;
}
