using System.Diagnostics;
using System.Globalization;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Floods;

/// <summary>What a client keeps of its rate beside a flood, in turns with and without it, at one server process that was told nothing; how long the hostile connection lived; and how the server grew.</summary>
internal static class FloodTable
{
    private static readonly Shape s_client = new(2, 20);
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(20);

    public static void Run(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100);
        var timing = new Timing(options.Seconds("--seconds", 2), options.Seconds("--warmup", 1));
        var only = options.Text("--only", string.Empty);
        var profile = options.Text("--profile", "edge");
        Console.WriteLine($"{Machine.Describe()}, profile {profile}, client {s_client}, {rounds} rounds of {timing.Seconds} s with the flood and without it, in turns");
        Console.WriteLine();
        Console.WriteLine("| flood | rate with / without | p99 with / without | cut off after, median and longest | times | server memory, MiB more |");
        Console.WriteLine("|---|---|---|---|---|---|");
        foreach (var (kind, text) in FloodFrames.Kinds)
        {
            if (only.Length == 0 || only == kind) Console.WriteLine(Measure(kind, text, profile, rounds, timing));
        }
    }

    private static string Measure(string kind, string text, string profile, int rounds, Timing timing)
    {
        using var server = MuxTool.Serve(["--profile", profile, .. CongestionControl.Arguments]);
        BenchFigures Bench() => MuxTool.Bench([server.AddressOf(), .. s_client.Arguments, .. timing.Arguments]);
        Bench(); // what is made once
        var (rates, tails, growths, medians, longest) = (new List<double>(), new List<double>(), new List<double>(), new List<double>(), new List<double>());
        int cuts = 0;
        for (int round = 0; round < rounds; round++)
        {
            var without = Bench();
            long before = ResidentOf(server.ProcessId);
            using var hostile = BuiltProgram.Self.Start(["flood-peer", kind, server.AddressOf()]);
            long most = before;
            using var looking = new Timer(_ => most = Math.Max(most, ResidentOf(server.ProcessId)), null, s_look, s_look);
            var with = Bench();
            looking.Change(Timeout.Infinite, Timeout.Infinite);
            hostile.StandardInput.Close();
            var said = hostile.StandardOutput.ReadLine()?.Split(' ') ?? throw new EvidenceException("The hostile process ended without a word.");
            hostile.WaitForExit();
            rates.Add(with.Rate / without.Rate);
            tails.Add(with.P99 / without.P99);
            growths.Add((most - before) / 1048576.0);
            cuts += int.Parse(said[0], CultureInfo.InvariantCulture);
            medians.Add(double.Parse(said[1], CultureInfo.InvariantCulture));
            longest.Add(double.Parse(said[2], CultureInfo.InvariantCulture));
        }

        var lived = cuts == 0 ? "not" : $"{Estimate.MedianOf(medians):F0} ms, {longest.Max():F0} ms";
        return $"| {text} | {Describe(rates)} | {Describe(tails)} | {lived} | {cuts} | {Estimate.MedianOf(growths):F1}, at most {growths.Max():F1} |";
    }

    private static string Describe(List<double> ratios) => Estimate.Of(ratios) is var estimate ? $"{estimate.Median:F2} ({estimate.Low:F2} to {estimate.High:F2})" : string.Empty;

    private static long ResidentOf(int process)
    {
        using var found = Process.GetProcessById(process);
        return found.WorkingSet64;
    }
}
