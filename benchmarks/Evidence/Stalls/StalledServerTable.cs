using System.Globalization;
using Evidence.Fleets;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Stalls;

/// <summary>
/// Four servers, of which one after the other is frozen with its connections open: what the calls to the others take meanwhile, and how many the frozen one keeps. And the
/// shares of three healthy servers.
/// </summary>
internal static class StalledServerTable
{
    private const int Servers = 4;
    private const double Longest = 2; // times the p99 of before

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100), rate = options.Count("--rate", 2_000, 100, 100_000);
        double seconds = options.Seconds("--seconds", 2);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {Servers} servers, one channel with a list of their addresses, {rate:N0} calls/s at an even rate; one server frozen (SIGSTOP) for {seconds} s");
        Console.WriteLine();
        Console.WriteLine("| round | p99 before, ms | p99 of the others meanwhile, ms | ratio | calls that the frozen server kept, of all | calls failed |");
        Console.WriteLine("|---|---|---|---|---|---|");
        var (ratios, failed) = await MeasureStallsAsync(rounds, rate, seconds * 1_000);
        var ratio = Estimate.Of(ratios);
        bool isStallMet = ratio.Median <= Longest && failed == 0;
        Console.WriteLine();
        Console.WriteLine($"p99 of the others to that of before: {ratio.ToString("F2")}, goal {Longest}, and no call fails: {Verdict.Of(isStallMet)}");
        bool areSharesMet = await HealthyShares.MeasureAsync(rate);
        return isStallMet && areSharesMet ? 0 : 1;
    }

    private static async Task<(List<double> Ratios, long Failed)> MeasureStallsAsync(int rounds, int rate, double stall)
    {
        List<FleetServer> servers = [.. Enumerable.Range(0, Servers).Select(number => new FleetServer(number, []))];
        try
        {
            await using var channel = await MuxChannel.ConnectAsync(FleetServer.AddressOf(servers));
            var calls = new SteadyCalls(channel.CreateProxy<IFleet>(), rate);
            var ratios = new List<double>();
            calls.Run(2_000); // compiled by then
            for (int round = 0; round < rounds; round++)
            {
                int frozen = round % Servers;
                double begin = calls.Now, stalled = begin + stall, over = stalled + stall;
                calls.Run(stalled);
                servers[frozen].Freeze();
                calls.Run(over);
                servers[frozen].Thaw();
                await calls.EndAsync();
                double end = calls.Now;
                calls.Run(end + stall / 2); // as before
                double before = P99(calls.Served.Where(call => call.Due >= begin && call.Due < stalled));
                var meanwhile = calls.Served.Where(call => call.Due >= stalled && call.Due < over).ToList();
                double others = P99(meanwhile.Where(call => call.Server != frozen));
                int kept = meanwhile.Count(call => call.Server == frozen && call.Due + call.Took >= over);
                ratios.Add(others / before);
                Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {round + 1} | {before:F2} | {others:F2} | {others / before:F2} | {kept} of {meanwhile.Count} | {calls.Failed} |"));
            }

            return (ratios, calls.Failed);
        }
        finally
        {
            foreach (var server in servers) server.Dispose();
        }
    }

    private static double P99(IEnumerable<ServedCall> calls) => Quantile.Of(calls.Select(call => call.Took), 0.99);
}
