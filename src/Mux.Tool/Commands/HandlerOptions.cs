using System.CommandLine;
using Mux.Tool.Workloads;

namespace Mux.Tool.Commands;

/// <summary>Options for what the handlers of a server do in addition to their work.</summary>
internal sealed class HandlerOptions
{
    private readonly Option<SlowReplies?> _slow = CheckedOption.Parsed<SlowReplies>(
        "--slow", "SHARE:TIME", SlowReplies.TryParse, SlowReplies.Expected, "This share of the handlers blocks its thread for this long, such as 1%:5ms");

    private readonly Option<Duration?> _cost = CheckedOption.Parsed<Duration>(
        "--handler-cost", "TIME", IsCost, "a time from 1us to 1s, such as 50us", "Every handler keeps a CPU busy for this long, such as 50us");

    private readonly Option<int> _workers = CheckedOption.Number(
        "--workers", 0, 0, 64, "Concurrent handlers, each on its own thread; 0 leaves it to Mux");

    /// <summary>Gets the options.</summary>
    public IEnumerable<Option> All => [_slow, _cost, _workers];

    public void AddTo(ToolCommand command) => command.Add(OptionGroup.Server, All);

    public HandlerProfile Read(ParseResult result)
    {
        var slow = result.GetValue(_slow).GetValueOrDefault();
        return new HandlerProfile
        {
            SlowShare = slow.Share,
            SlowMicroseconds = slow.Time.TotalMicroseconds,
            CostMicroseconds = result.GetValue(_cost).GetValueOrDefault().Value.TotalMicroseconds,
            Workers = result.GetValue(_workers),
        };
    }

    private static bool IsCost(string text, out Duration cost) =>
        Duration.TryParse(text, out cost) && cost.Value >= TimeSpan.FromMicroseconds(1) && cost.Value <= TimeSpan.FromSeconds(1);
}
