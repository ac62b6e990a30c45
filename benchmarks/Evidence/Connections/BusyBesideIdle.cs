using Evidence.Programs;
using Evidence.Serving;
using Evidence.Statistics;

namespace Evidence.Connections;

/// <summary>10x200 against a server that holds idle connections as well, and against one that does not, in turns and each a new process.</summary>
internal static class BusyBesideIdle
{
    private static readonly Shape s_busy = new(10, 200);

    public static async Task RunAsync(CommandLine options)
    {
        var engine = EngineChoice.Read(options);
        int count = options.Count("--connections", 5_000, 1, 9_000); // a server of the tool takes 10,000
        int pairs = options.Count("--pairs", 10, 1, 1000);
        var timing = new Timing(options.Seconds("--seconds", 4), options.Seconds("--warmup", 3));
        Console.WriteLine($"{Machine.Describe()}, engine {engine}, {s_busy} with and without {count:N0} idle connections, {pairs} pairs of {timing.Seconds} s");
        Console.WriteLine();
        Console.WriteLine("| pair | alone, calls/s | beside idle ones, calls/s | ratio |");
        Console.WriteLine("|---|---|---|---|");
        var ratios = new List<double>();
        for (int pair = 1; pair <= pairs; pair++)
        {
            double alone = await MeasureAsync(engine, idle: 0, timing);
            double beside = await MeasureAsync(engine, count, timing);
            ratios.Add(beside / alone);
            Console.WriteLine($"| {pair} | {alone:N0} | {beside:N0} | {ratios[^1]:F3} |");
        }

        var ratio = Estimate.Of(ratios);
        Console.WriteLine();
        Console.WriteLine($"median {ratio.Median:F3}, 95 % interval {ratio.Low:F3} to {ratio.High:F3}, goal 0.95: {Verdict.Of(ratio.Median >= 0.95)}");
    }

    private static async Task<double> MeasureAsync(string engine, int idle, Timing timing)
    {
        using var server = MuxTool.Serve(["--engine", engine, .. CongestionControl.Arguments]);
        await using var connections = await IdleConnections.OpenAsync(server.AddressOf(host: 2), idle, EngineChoice.Transport(engine));
        return MuxTool.Bench([server.AddressOf(), "--engine", engine, .. s_busy.Arguments, .. timing.Arguments]).Rate;
    }
}
