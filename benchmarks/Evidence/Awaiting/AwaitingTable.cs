using System.Diagnostics;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Awaiting;

/// <summary>What a call costs its server if the handler awaits something, above what the handler costs by itself.</summary>
internal static class AwaitingTable
{
    private static readonly int[] s_callers = [1, 8, 64];

    public static async Task RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100);
        int onlyCallers = options.Count("--callers", 0, 0, 1_000);
        string onlyWork = options.Choice("--only", string.Empty, Enum.GetNames<AwaitedWork>());
        var duration = TimeSpan.FromSeconds(options.Seconds("--seconds", 2));
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; one connection, medians of {rounds} rounds of {duration.TotalSeconds} s");
        Console.WriteLine();
        Console.WriteLine("| handler | callers | calls/s | server, us per call | the handler by itself, us | difference, us | calls per send, server |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        foreach (var work in Enum.GetValues<AwaitedWork>().Where(work => onlyWork.Length == 0 || work.ToString() == onlyWork))
        {
            foreach (int callers in onlyCallers > 0 ? [onlyCallers] : s_callers)
            {
                var list = new List<Figures>();
                for (int round = 0; round < rounds; round++) list.Add(await MeasureAsync(work, callers, duration));
                double Of(Func<Figures, double> figure) => Estimate.MedianOf(list.Select(figure));
                Console.WriteLine($"| {work} | {callers} | {Of(one => one.Rate):N0} | {Of(one => one.Cost):F2} | {Of(one => one.Bare):F2} | {Of(one => one.Cost - one.Bare):F2} | {Of(one => one.CallsPerSend):F1} |");
            }
        }
    }

    private static async Task<Figures> MeasureAsync(AwaitedWork work, int callers, TimeSpan duration)
    {
        using var echo = RunningServer.Start(BuiltProgram.Self, ["serve-echo"]);
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve-awaiting", $"{echo.Port}"]);
        await using var channel = MuxChannel.Create(server.AddressOf());
        var awaiter = channel.CreateProxy<IAwaiter>();
        double bare = await awaiter.CostWithoutCall(work, callers);
        bool isOver = false;
        var loops = Enumerable.Range(0, callers).Select(_ => Task.Run(CallAsync)).ToArray();
        await Task.Delay(duration); // until the code is compiled for good
        var before = await awaiter.Usage();
        long start = Stopwatch.GetTimestamp();
        await Task.Delay(duration);
        var after = await awaiter.Usage();
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        Volatile.Write(ref isOver, true);
        await Task.WhenAll(loops);
        double calls = after.Calls - before.Calls;
        return new(calls / seconds, (after.Microseconds - before.Microseconds) / calls, bare, calls / (after.Sends - before.Sends));

        async Task CallAsync()
        {
            for (int number = 0; !Volatile.Read(ref isOver); number++)
            {
                int reply = await work.RunAsync(awaiter, number);
                if (reply != number) throw new EvidenceException($"Call {number} got the reply to call {reply}.");
            }
        }
    }

    private sealed record Figures(double Rate, double Cost, double Bare, double CallsPerSend);
}
