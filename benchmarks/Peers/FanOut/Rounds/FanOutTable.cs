using Evidence.Statistics;
using FanOut.Stacks;
using SideBySide.Stacks;

namespace FanOut.Rounds;

/// <summary>All stacks in turns, each run with new processes, and Mux against each of the others.</summary>
internal static class FanOutTable
{
    public static async Task<int> RunAsync(RunOptions options)
    {
        Console.WriteLine($"{Environment.ProcessorCount} processors, .NET {Environment.Version}, loopback with {Loopback.Congestion ?? "the system's congestion control"}; {options.Connections} connections, items of {Feed.ItemLength} bytes; {options.Rounds} rounds of {options.Seconds} s after {options.Warmup} s; receivers: a counter in C");
        Console.WriteLine();
        var all = Feed.Names.ToDictionary(name => name, _ => new List<FanOutFigures>());
        for (int round = 0; round < options.Rounds; round++)
        {
            foreach (var name in Enumerable.Range(0, Feed.Names.Count).Select(turn => Feed.Names[(round + turn) % Feed.Names.Count])) all[name].Add(await MeasureAsync(name, options));
        }

        Console.WriteLine("| stack | deliveries/s | Mux makes so many times as many | CPU of the server per delivery, us | so many times Mux's | of the receivers, us | bytes allocated per delivery |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        bool isMet = true;
        var own = all["mux"];
        foreach (var (name, runs) in all)
        {
            var faster = Estimate.Of([.. own.Zip(runs, (mux, other) => mux.Rate / other.Rate)]);
            var cheaper = Estimate.Of([.. own.Zip(runs, (mux, other) => other.ServerProcessor / mux.ServerProcessor)]);
            bool isOwn = runs == own;
            isMet &= isOwn || faster.Median >= options.Goal;
            Console.WriteLine(FormattableString.Invariant(
                $"| {name} | {Median(runs, run => run.Rate):N0} | {(isOwn ? "" : faster.ToString("F1"))} | {Median(runs, run => run.ServerProcessor):F3} | {(isOwn ? "" : cheaper.ToString("F1"))} | {Median(runs, run => run.ReceiverProcessor):F3} | {Median(runs, run => run.Bytes):F1} |"));
        }

        Console.WriteLine();
        Console.WriteLine(FormattableString.Invariant($"Goal: {options.Goal} times the deliveries of each: {(isMet ? "met" : "NOT MET")}."));
        return isMet ? 0 : 1;
    }

    private static double Median(List<FanOutFigures> runs, Func<FanOutFigures, double> figure) => Estimate.MedianOf(runs.Select(figure));

    private static async Task<FanOutFigures> MeasureAsync(string name, RunOptions options)
    {
        using var process = await FeedProcess.StartAsync(name, options.Connections);
        await process.RunAsync(options.Warmup);
        var figures = await process.RunAsync(options.Seconds);
        Console.Error.WriteLine(FormattableString.Invariant($"{name,-24}{figures.Rate,14:N0}/s {figures.ServerProcessor,9:F3} us of the server"));
        return figures;
    }
}
