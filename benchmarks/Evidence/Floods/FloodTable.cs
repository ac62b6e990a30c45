using System.Diagnostics;
using Evidence.Programs;

namespace Evidence.Floods;

/// <summary>What a client keeps of its rate beside a flood, in turns with and without it, at one server process that was told nothing; how long the hostile connection lived; and how the server grew.</summary>
internal static class FloodTable
{
    private static readonly Shape s_client = new(2, 20);
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(20);

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100);
        var timing = new Timing(options.Seconds("--seconds", 2), options.Seconds("--warmup", 1));
        var only = options.Text("--only", string.Empty);
        var profile = options.Text("--profile", "edge");
        Console.WriteLine($"{Machine.Describe()}, profile {profile}, client {s_client}, {rounds} rounds of {timing.Seconds} s with the flood and without it, in turns");
        Console.WriteLine();
        Console.WriteLine("| flood | rate with / without | p99 with / without | cut off after, median and longest | times | server memory, MiB more | goals | |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|");
        bool isMet = true;
        foreach (var (kind, text) in FloodFrames.Kinds)
        {
            if (only.Length == 0 || only == kind) isMet &= Measure(kind, text, profile, rounds, timing);
        }

        if (only.Length == 0 || only == PlaceTable.Kind) isMet &= await PlaceTable.RunAsync();
        Console.WriteLine();
        Console.WriteLine(isMet ? "goals: met" : "goals: NOT MET");
        return isMet ? 0 : 1;
    }

    private static bool Measure(string kind, string text, string profile, int rounds, Timing timing)
    {
        using var server = MuxTool.Serve(["--profile", profile, .. CongestionControl.Arguments]);
        BenchFigures Bench() => MuxTool.Bench([server.AddressOf(), .. s_client.Arguments, .. timing.Arguments]);
        Bench(); // what is made once
        var outcome = new FloodOutcome(FloodFrames.IsCutOff(kind));
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
            var said = hostile.StandardOutput.ReadLine() ?? throw new EvidenceException("The hostile process ended without a word.");
            hostile.WaitForExit();
            outcome.Add(with.Rate / without.Rate, with.P99 / without.P99, (most - before) / 1048576.0, FloodReport.Parse(said));
        }

        Console.WriteLine($"| {text} | {outcome.Describe()} |");
        return outcome.Missed.Count == 0;
    }

    private static long ResidentOf(int process)
    {
        using var found = Process.GetProcessById(process);
        return found.WorkingSet64;
    }
}
