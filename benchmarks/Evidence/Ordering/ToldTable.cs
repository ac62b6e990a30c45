using System.Diagnostics;
using System.Globalization;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Ordering;

/// <summary>One-way calls of eight keys, each with one writer: how many of them run before an earlier one, while connections open and end.</summary>
internal static class ToldTable
{
    private const int Keys = 8;
    private const int Window = 250; // calls of a key after which its writer asks how many ran; two windows are under way

    private static readonly (int Fewest, int Most, int Age, int Times)[] s_rows = [(1, 1, 0, 1), (1, 2, 0, 1), (2, 2, 0, 1), (2, 2, 2_000, 1), (2, 2, 1_000, 4)];

    /// <returns>The exit code: 0 if no call runs out of order.</returns>
    public static async Task<int> RunAsync(CommandLine options)
    {
        int calls = options.Count("--calls", 100_000, 1_000, 100_000_000);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {Keys} keys, one writer each, one-way calls");
        Console.WriteLine();
        Console.WriteLine("| connections | their age, s | calls | s | connections used | out of order | goal 0 |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        bool areMet = true;
        foreach (var (fewest, most, age, times) in s_rows)
        {
            long begun = Stopwatch.GetTimestamp();
            var counts = await MeasureAsync(fewest, most, age, calls * times / Keys);
            bool isMet = counts.OutOfOrder == 0;
            areMet &= isMet;
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"| {fewest} to {most} | {(age == 0 ? "any" : $"{age / 1_000}")} | {calls * times:N0} | {Stopwatch.GetElapsedTime(begun).TotalSeconds:F1} | " +
                $"{counts.Connections} | {counts.OutOfOrder:N0} | {Verdict.Of(isMet)} |"));
        }

        return areMet ? 0 : 1;
    }

    private static async Task<ToldCounts> MeasureAsync(int fewest, int most, int age, int callsOfKey)
    {
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve-told", "--max-age", age.ToString(CultureInfo.InvariantCulture)]);
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = server.AddressOf(), MinConnections = fewest, MaxConnections = most });
        await channel.ConnectAsync();
        var told = channel.CreateProxy<ITold>();
        await Task.WhenAll(Enumerable.Range(0, Keys).Select(key => Task.Run(() => WriteAsync(told, key, callsOfKey))));
        return await told.Count(0);
    }

    private static async Task WriteAsync(ITold told, int key, int calls)
    {
        Task earlier = Task.CompletedTask;
        for (int number = 0; number < calls; number++)
        {
            await told.Tell(key, number);
            if (number % Window != Window - 1) continue;
            await earlier;
            earlier = told.Ran(key).AsTask();
        }

        int ran = await told.Ran(key);
        if (ran != calls) throw new EvidenceException($"{ran} of {calls} calls of the key {key} ran.");
    }
}
