using System.Diagnostics;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Blocking;

/// <summary>How long a client waits that awaits its calls, while handlers of the same server sleep.</summary>
internal static class SleeperTable
{
    private const int Calls = 200;
    private const int LargeReply = 20_000;

    /// <summary>Milliseconds that the slowest call may take on a quiet machine, in the median of the rounds; three times that with other load.</summary>
    private const double Goal = 50;

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100), sleepers = options.Count("--sleepers", 1_000, 1, 1_500);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        double goal = load.Count == 0 ? Goal : 3 * Goal;
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {sleepers} handlers that sleep, {Calls} calls of each kind in turn, {rounds} rounds");
        Console.WriteLine();
        Console.WriteLine("| round | until all sleep, ms | first call of a new client, ms | slowest small call, ms | slowest call with a reply of 20 KB, ms |");
        Console.WriteLine("|---|---|---|---|---|");
        var slowest = new List<double>();
        for (int round = 1; round <= rounds; round++) slowest.Add(await MeasureAsync(round, sleepers));
        double median = Estimate.MedianOf(slowest);
        bool isMet = median <= goal;
        Console.WriteLine();
        Console.WriteLine($"slowest call of a round, median: {median:F1} ms; goal {goal} ms: {(isMet ? "met" : "NOT MET")}");
        return isMet ? 0 : 1;
    }

    private static async Task<double> MeasureAsync(int round, int sleepers)
    {
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve-sleepers"]);
        await using var sleeping = MuxChannel.Create(new MuxChannelOptions { Address = server.AddressOf(), DrainTimeout = TimeSpan.Zero });
        var sleeper = sleeping.CreateProxy<ISleeper>();
        long start = Stopwatch.GetTimestamp();
        for (int i = 0; i < sleepers; i++) _ = sleeper.Sleep(i).AsTask();
        while (await sleeper.Sleeping() < sleepers) await Task.Yield();
        double asleep = Since(start);

        await using var other = MuxChannel.Create(server.AddressOf());
        var sut = other.CreateProxy<ISleeper>();
        start = Stopwatch.GetTimestamp();
        await sut.Echo(0);
        double first = Since(start), small = 0, large = 0;
        for (int i = 0; i < Calls; i++)
        {
            start = Stopwatch.GetTimestamp();
            await sut.Echo(i);
            small = Math.Max(small, Since(start));
            start = Stopwatch.GetTimestamp();
            await sut.Bytes(LargeReply);
            large = Math.Max(large, Since(start));
        }

        Console.WriteLine($"| {round} | {asleep:F0} | {first:F1} | {small:F1} | {large:F1} |");
        return Math.Max(first, Math.Max(small, large));
    }

    private static double Since(long start) => Stopwatch.GetElapsedTime(start).TotalMilliseconds;
}
