using System.Diagnostics;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Blocking;

/// <summary>How soon all handlers sleep, and how long calls take meanwhile: those of a client to their server, and those that their server awaits itself, in a handler.</summary>
internal static class SleeperTable
{
    private const int Calls = 200;
    private const int LargeReply = 20_000;

    /// <summary>Milliseconds that the slowest call of all rounds may take on a quiet machine; three times that with other load.</summary>
    private const double CallGoal = 50;

    /// <summary>Milliseconds for each handler until all sleep, 500 threads a second, and a second for few. Three times that with other load.</summary>
    private const double ThreadGoal = 2, LeastThreadGoal = 1_000;

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100), sleepers = options.Count("--sleepers", 1_000, 1, 1_500);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        int allowance = load.Count == 0 ? 1 : 3;
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {sleepers} handlers that sleep, {Calls} calls of each kind in turn, {rounds} rounds; ms");
        Console.WriteLine();
        Console.WriteLine("| round | until all sleep | first call of a new client | slowest small call | slowest call with a reply of 20 KB | slowest call whose handler awaits 20 KB of another server |");
        Console.WriteLine("|---|---|---|---|---|---|");
        var measured = new List<SleeperRound>();
        for (int round = 1; round <= rounds; round++)
        {
            measured.Add(await MeasureAsync(sleepers));
            Console.WriteLine($"| {round} | {measured[^1].Describe()} |");
        }

        Console.WriteLine();
        bool isMet = Judge("until all sleep", [.. measured.Select(round => round.AllAsleep)], Math.Max(ThreadGoal * sleepers, LeastThreadGoal) * allowance)
            & Judge("slowest call", [.. measured.Select(round => round.SlowestCall)], CallGoal * allowance);
        return isMet ? 0 : 1;
    }

    private static bool Judge(string what, double[] rounds, double goal)
    {
        bool isMet = rounds.Max() <= goal;
        Console.WriteLine($"{what}: {rounds.Max():F1} ms in the worst round, {Estimate.MedianOf(rounds):F1} in the median; goal for the worst {goal:F0} ms: {(isMet ? "met" : "NOT MET")}");
        return isMet;
    }

    private static async Task<SleeperRound> MeasureAsync(int sleepers)
    {
        using var back = RunningServer.Start(BuiltProgram.Self, ["serve-sleepers"]);
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve-sleepers", back.AddressOf()]);
        await using var sleeping = MuxChannel.Create(new MuxChannelOptions { Address = server.AddressOf(), DrainTimeout = TimeSpan.Zero });
        var sleeper = sleeping.CreateProxy<ISleeper>();
        await sleeper.BytesOfOther(LargeReply); // compiled and connected before: that takes 0.1 s beside one sleeper, too
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < sleepers; i++) _ = sleeper.Sleep(i).AsTask();
        while (await sleeper.Sleeping() < sleepers) await Task.Yield();
        double asleep = Since(start);

        await using var other = MuxChannel.Create(server.AddressOf());
        var sut = other.CreateProxy<ISleeper>();
        start = Stopwatch.GetTimestamp();
        await sut.Echo(0);
        double first = Since(start), small = 0, large = 0, awaited = 0;
        for (int i = 0; i < Calls; i++)
        {
            start = Stopwatch.GetTimestamp();
            await sut.Echo(i);
            small = Math.Max(small, Since(start));
            start = Stopwatch.GetTimestamp();
            await sut.Bytes(LargeReply);
            large = Math.Max(large, Since(start));
            start = Stopwatch.GetTimestamp();
            await sut.BytesOfOther(LargeReply);
            awaited = Math.Max(awaited, Since(start));
        }

        return new(asleep, first, small, large, awaited);
    }

    private static double Since(long start) => Stopwatch.GetElapsedTime(start).TotalMilliseconds;
}
