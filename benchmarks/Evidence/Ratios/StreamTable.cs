using Evidence.Programs;
using Evidence.Serving;
using Evidence.Statistics;

namespace Evidence.Ratios;

/// <summary>The goals of streams and large messages. In every round each workload has its turn, and the yardstick and 10x200 too, so all have the same minutes.</summary>
internal static class StreamTable
{
    private const int LargeBytes = 1024 * 1024;
    private const double LargeGoal = 1500;
    private const double LimitGoal = 0.4;
    private const double DuplexGoal = 1.5;
    private const double ItemsGoal = 4e6;

    // As in the rows of rates: a look at the clock for each call is a tenth of the client there.
    private static readonly string[] s_rarelyTimed = ["--time-every", "8"];

    public static void Run(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 1000);
        var timing = new Timing(options.Seconds("--seconds", 3), options.Seconds("--warmup", 2));
        Console.WriteLine($"{Machine.Describe()}, engine {EngineChoice.All[0]}.");
        Console.WriteLine($"{rounds} {(rounds == 1 ? "round" : "rounds")} of {timing.Seconds} s after {timing.Warmup} s of warm-up, every workload and the yardstick (Y) in each; medians, and of ratios the 95 % interval.");
        Console.WriteLine();
        var measured = Enumerable.Range(1, rounds).Select(round => Round.Measure(round, rounds, timing)).ToArray();
        Console.WriteLine(Row.Heading);
        foreach (var row in Rows(measured)) Console.WriteLine(row);
    }

    private static IEnumerable<Row> Rows(Round[] rounds)
    {
        double yardstick = Median(round => round.Yardstick.Rate), full = Median(round => round.Full.Rate);
        yield return new("T1", "10x200 in the same rounds", $"{Ratio(round => round.Full.Rate / round.Yardstick.Rate)} Y; {full:N0} and {yardstick:N0} calls/s", "for comparison", IsMet: true);

        double items = Median(round => round.Items.Rate);
        yield return new("S1", "one server stream of 50 B items", $"{items:N0} items/s, {Ratio(round => round.Items.Rate / round.Yardstick.Rate)} Y; {Cpu(round => round.Items)}", $">= {ItemsGoal:N0}/s", items >= ItemsGoal);

        var duplex = Of(round => round.Pairs.Rate / round.Full.Rate);
        yield return new("S2", "one duplex stream, 200 on their way", $"{Median(round => round.Pairs.Rate):N0} pairs/s, {duplex.ToString("F3")} T1; {Cpu(round => round.Pairs)}", $">= {DuplexGoal} T1", duplex.Median >= DuplexGoal);

        double large = Median(round => round.Large.MegabytesPerSecond);
        yield return new("B1", "1 MiB echo, 4 outstanding", $"{large:N0} MB/s each way; {Cpu(round => round.Large)}", $">= {LargeGoal:N0} MB/s", large >= LargeGoal);
        if (Limit.IsThere)
        {
            var ratio = Of(round => round.Large.MegabytesPerSecond / round.LargeLimit);
            yield return new("B1", "the same to the C limit, one at a time", $"{ratio.ToString("F3")}; C limit {Median(round => round.LargeLimit):N0} MB/s", $">= {LimitGoal}", ratio.Median >= LimitGoal);
        }

        double stream = Median(round => round.LargeItems.MegabytesPerSecond);
        yield return new("B1", "echo stream of 64 KiB items", $"{stream:N0} MB/s each way; {Cpu(round => round.LargeItems)}", $">= {LargeGoal:N0} MB/s", stream >= LargeGoal);

        double beside = Median(round => round.Same.P99), bound = Median(round => round.Same.Bound), other = Median(round => round.Other.P99);
        yield return new("F2", "20 B calls beside 4 MiB replies on their connection", $"p99 {beside:N0} us; bound {bound:N0} us at {Median(round => round.Same.MegabytesPerSecond):N0} MB/s; beside bulk on another connection p99 {other:N0} us",
            "p99 <= bound + 3 x p99 of the other", beside <= bound + (3 * other));

        double Median(Func<Round, double> figure) => Estimate.MedianOf(rounds.Select(figure));
        Estimate Of(Func<Round, double> figure) => Estimate.Of([.. rounds.Select(figure)]);
        string Cpu(Func<Round, BenchFigures> figures) => $"CPU {Median(round => figures(round).CpuPerCall):N2} us";
        string Ratio(Func<Round, double> figure) => Of(figure).ToString("F3");
    }

    /// <summary>One turn of everything.</summary>
    private sealed record Round(
        YardstickFigures Yardstick, BenchFigures Full, BenchFigures Items, BenchFigures Pairs, BenchFigures Large, double LargeLimit, BenchFigures LargeItems, BenchFigures Same, BenchFigures Other)
    {
        public static Round Measure(int number, int count, Timing timing)
        {
            var shape = new Shape(10, 200);
            Console.Error.WriteLine($"round {number} of {count}");
            return new(
                Programs.Yardstick.Run(shape, timing, isRecording: false),
                Bench([.. shape.Arguments, .. s_rarelyTimed]),
                Bench(["--workload", "server-stream"]),
                Bench(["--workload", "duplex", .. s_rarelyTimed]),
                Bench(["--workload", "bulk"]),
                Limit.IsThere ? Limit.RunBulk(LargeBytes) : double.NaN,
                Bench(["--workload", "bulk-stream"]),
                Bench(["--workload", "mixed"]),
                Bench(["--workload", "mixed", "--bulk-on", "other"]));

            BenchFigures Bench(string[] arguments) => MuxTool.Bench([.. arguments, .. timing.Arguments]);
        }
    }
}
