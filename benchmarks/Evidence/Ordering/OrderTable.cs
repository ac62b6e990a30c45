using System.Globalization;
using Evidence.Programs;
using Evidence.Serving;
using Evidence.Statistics;
using Seeds.Load;

namespace Evidence.Ordering;

/// <summary>Calls of 10,000 keys that run one after the other, in turns with calls in no order; and calls that a handler takes in batches.</summary>
internal static class OrderTable
{
    private const int Connections = 10, CallersOfEach = 200, Keys = 10_000;
    private const double LeastRate = 1_000_000, MostMore = 0.2;

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 7, 1, 100);
        var timing = new Timing(options.Seconds("--seconds", 2), options.Seconds("--warmup", 1));
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {rounds} rounds, {timing.Seconds} s after {timing.Warmup} s of warm-up; {Connections} x {CallersOfEach} callers, " +
            $"{Keys} keys; processor time of both sides");
        Console.WriteLine();
        using var other = RunningServer.Start(BuiltProgram.Self, ["serve-order"]);
        var transport = EngineChoice.Transport(EngineChoice.All[0]);
        var channels = Enumerable.Range(0, Connections).Select(_ => MuxChannel.Create(new MuxChannelOptions { Address = other.AddressOf(), MaxConnections = 1, Transport = transport })).ToArray();
        IOrderly[] proxies = [.. channels.Select(static channel => channel.CreateProxy<IOrderly>())];
        List<Round> plain = [], ordered = [], together = [];
        for (int round = 0; round < rounds; round++)
        {
            // Which of them comes first changes: what the machine does to the second is in both.
            if (round % 2 == 0) plain.Add(await MeasureAsync(proxies, timing, static (proxy, request) => proxy.Plain(request)));
            ordered.Add(await MeasureAsync(proxies, timing, static (proxy, request) => proxy.Ordered(request)));
            if (round % 2 == 1) plain.Add(await MeasureAsync(proxies, timing, static (proxy, request) => proxy.Plain(request)));
            together.Add(await MeasureAsync(proxies, timing, static (proxy, request) => proxy.Together(request)));
        }

        foreach (var channel in channels) await channel.DisposeAsync();
        var more = Estimate.Of([.. ordered.Zip(plain, static (one, other) => one.Microseconds - other.Microseconds)]);
        double orderedRate = Rate(ordered), togetherRate = Rate(together);
        Console.WriteLine("| | calls/s | us of processor for a call | goal | |");
        Console.WriteLine("|---|---|---|---|---|");
        Print("in no order", plain, string.Empty, string.Empty);
        Print("in the order of their keys", ordered, "1,000,000 calls/s", Verdict.Of(orderedRate >= LeastRate));
        Console.WriteLine($"| ... more than in no order | | {more.ToString("F3")} | <= {MostMore.ToString(CultureInfo.InvariantCulture)} | {Verdict.Of(more.Median <= MostMore)} |");
        Print("in batches, of 20 us and 50 ns for each call", together, "1,000,000 calls/s", Verdict.Of(togetherRate >= LeastRate));
        return orderedRate >= LeastRate && more.Median <= MostMore && togetherRate >= LeastRate ? 0 : 1;
    }

    private static double Rate(List<Round> rounds) => Estimate.MedianOf([.. rounds.Select(static round => round.Rate)]);

    private static void Print(string name, List<Round> rounds, string goal, string verdict)
    {
        double cost = Estimate.MedianOf([.. rounds.Select(static round => round.Microseconds)]);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {name} | {Rate(rounds):N0} | {cost:F3} | {goal} | {verdict} |"));
    }

    private static async Task<Round> MeasureAsync(IOrderly[] proxies, Timing timing, Func<IOrderly, OrderRequest, ValueTask<OrderReply>> call)
    {
        int number = 0;
        var loop = new CallLoop<OrderReply>(proxies.Length * CallersOfEach, caller =>
        {
            uint next = (uint)Interlocked.Increment(ref number) * 2_654_435_761; // keys in no order, and each as often as the others
            return call(proxies[caller % proxies.Length], new OrderRequest { Key = (int)(next % Keys), Number = next });
        });
        await loop.MeasureAsync(TimeSpan.FromSeconds(timing.Warmup));
        double before = await ProcessorTimeAsync(proxies[0]);
        double rate = await loop.MeasureAsync(TimeSpan.FromSeconds(timing.Seconds));
        double after = await ProcessorTimeAsync(proxies[0]);
        await loop.StopAsync();
        return new Round(rate, (after - before) / (rate * timing.Seconds));
    }

    private static async Task<double> ProcessorTimeAsync(IOrderly proxy) => await proxy.ProcessorTime() + Environment.CpuUsage.TotalTime.TotalMicroseconds;

    private sealed record Round(double Rate, double Microseconds);
}
