using System.Diagnostics;
using System.Globalization;
using Evidence.Fleets;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Outages;

/// <summary>A list of five servers, and of many that are gone: what a process pays for those, and its calls.</summary>
internal static class DeadEndpointTable
{
    private const int Alive = 5, Rate = 80;
    private const double MostProcessor = 2, LongestCall = 5; // percent of a core; ms
    private const double WarmUp = 10; // s: by then what a dial runs is compiled, which costs more than the dials

    /// <returns>The exit code: 0 if all goals are met.</returns>
    public static async Task<int> RunAsync(CommandLine options)
    {
        int dead = options.Count("--dead", 1_000, 1, 20_000);
        double seconds = options.Seconds("--seconds", 10);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; a list of {Alive} servers and of some that are gone, {Rate} calls/s, SubsetSize 0");
        Console.WriteLine();
        Console.WriteLine("| dead servers | processor, % of a core | allocated, MiB/s | exceptions/s | calls answered/s | longest call, ms |");
        Console.WriteLine("|---|---|---|---|---|---|");
        List<FleetServer> servers = [.. Enumerable.Range(0, Alive).Select(number => new FleetServer(number, []))];
        try
        {
            var (usual, _) = await MeasureAsync(servers, 0, seconds);
            var (processor, longest) = await MeasureAsync(servers, dead, seconds);
            double cost = processor - usual;
            bool isMet = cost <= MostProcessor && (longest <= LongestCall || load.Count > 0);
            Console.WriteLine();
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{dead:N0} dead servers cost {cost:F2} % of a core, goal {MostProcessor} %; the longest call {longest:F2} ms, goal {LongestCall} ms on a " +
                $"quiet machine: {Verdict.Of(isMet)}"));
            return isMet ? 0 : 1;
        }
        finally
        {
            foreach (var server in servers) server.Dispose();
        }
    }

    private static async Task<(double Processor, double Longest)> MeasureAsync(List<FleetServer> servers, int dead, double seconds)
    {
        var gone = Enumerable.Range(0, dead).Select(number => $"127.{1 + (number / 65_000)}.{number / 250 % 250}.{1 + (number % 250)}:1");
        await using var channel = MuxChannel.Create(new MuxChannelOptions
        {
            Address = $"mux://{string.Join(',', servers.Select(server => $"127.0.0.1:{server.Port}").Concat(gone))}",
            AllowPlaintext = true,
            Balancing = { SubsetSize = 0 },
        });
        await channel.ConnectAsync();
        var fleet = channel.CreateProxy<IFleet>();
        await CallAsync(fleet, WarmUp);
        using var process = Process.GetCurrentProcess();
        var before = process.TotalProcessorTime;
        long exceptions = 0;
        AppDomain.CurrentDomain.FirstChanceException += (_, _) => Interlocked.Increment(ref exceptions); // again in each layer that one passes
        long allocated = GC.GetTotalAllocatedBytes(), begin = Stopwatch.GetTimestamp();
        var took = await CallAsync(fleet, seconds);
        process.Refresh();
        double passed = Stopwatch.GetElapsedTime(begin).TotalSeconds;
        double processor = 100 * (process.TotalProcessorTime - before).TotalSeconds / passed;
        double rate = (GC.GetTotalAllocatedBytes() - allocated) / passed / (1 << 20);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"| {dead:N0} | {processor:F2} | {rate:F2} | {exceptions / passed:F0} | {took.Count / passed:F0} | {took.Max():F2} |"));
        return (processor, took.Max());
    }

    private static async Task<List<double>> CallAsync(IFleet fleet, double seconds)
    {
        List<double> took = [];
        long begin = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(begin).TotalSeconds < seconds)
        {
            long start = Stopwatch.GetTimestamp();
            await fleet.Who();
            took.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
            await Task.Delay(1_000 / Rate);
        }

        return took;
    }
}
