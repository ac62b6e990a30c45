using System.Globalization;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Sharing;

/// <summary>What it costs that callers share a connection: more of them on one, and one instead of one for each. In turns, so that each ratio is of the same minutes.</summary>
internal static class SharingTable
{
    private const int Few = 100, Many = 500, PerCaller = 32, Several = 4;
    private const double ManyGoal = 0.95, CpuGoal = 1.2, SharedGoal = 0.7;

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 10, 1, 100);
        var timing = new Timing(options.Seconds("--seconds", 2), options.Seconds("--warmup", 2));
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {rounds} rounds, {timing.Seconds} s after {timing.Warmup} s of warm-up, each a new pair of processes; callers that await their replies, the call of mux bench");
        Console.WriteLine();
        var few = new List<(double Rate, double Cpu)>();
        var many = new List<(double Rate, double Cpu)>();
        var spread = new List<(double Rate, double Cpu)>();
        var shared = new List<(double Rate, double Cpu)>();
        var own = new List<(double Rate, double Cpu)>();
        for (int round = 0; round < rounds; round++)
        {
            few.Add(await SharedLoad.MeasureAsync(1, Few, timing));
            many.Add(await SharedLoad.MeasureAsync(1, Many, timing));
            spread.Add(await SharedLoad.MeasureAsync(Several, Many, timing));
            shared.Add(await SharedLoad.MeasureAsync(1, PerCaller, timing));
            own.Add(await SharedLoad.MeasureAsync(PerCaller, PerCaller, timing));
        }

        Console.WriteLine("| connections x callers | calls/s, median | CPU per call, us, client + server |");
        Console.WriteLine("|---|---|---|");
        Write($"1 x {Few}", few);
        Write($"1 x {Many}", many);
        Write($"{Several} x {Many} together", spread);
        Write($"1 x {PerCaller}", shared);
        Write($"{PerCaller} x {PerCaller} together", own);
        Console.WriteLine();
        Console.WriteLine("| ratio of each round | median | goal | |");
        Console.WriteLine("|---|---|---|---|");
        bool isMet = Judge($"calls/s of {Many} callers to {Few}, one connection", Ratios(many, few, static one => one.Rate), ratio => ratio >= ManyGoal, $">= {ManyGoal}");
        isMet &= Judge($"CPU per call of {Many} callers to {Few}", Ratios(many, few, static one => one.Cpu), ratio => ratio <= CpuGoal, $"<= {CpuGoal}");
        isMet &= Judge($"calls/s of {PerCaller} callers on one connection to one for each", Ratios(shared, own, static one => one.Rate), ratio => ratio >= SharedGoal, $">= {SharedGoal}");
        Judge($"calls/s of {Many} callers on {Several} connections to one", Ratios(spread, many, static one => one.Rate), static _ => true, "reported");
        return isMet ? 0 : 1;
    }

    private static List<double> Ratios(List<(double Rate, double Cpu)> above, List<(double Rate, double Cpu)> below, Func<(double Rate, double Cpu), double> figure) =>
        [.. above.Zip(below, (one, other) => figure(one) / figure(other))];

    private static void Write(string what, List<(double Rate, double Cpu)> rounds) => Console.WriteLine(string.Create(
        CultureInfo.InvariantCulture, $"| {what} | {Estimate.MedianOf(rounds.Select(round => round.Rate)):N0} | {Estimate.MedianOf(rounds.Select(round => round.Cpu)):F2} |"));

    private static bool Judge(string what, List<double> ratios, Func<double, bool> isGood, string goal)
    {
        var ratio = Estimate.Of(ratios);
        bool isMet = isGood(ratio.Median);
        Console.WriteLine($"| {what} | {ratio.ToString("F3")} | {goal} | {Verdict.Of(isMet)} |");
        return isMet;
    }
}
