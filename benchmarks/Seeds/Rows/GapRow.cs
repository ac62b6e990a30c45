using Mux.Tool.Measuring;
using Seeds.Contracts;
using Seeds.Load;
using Seeds.Serving;
using Seeds.Transports;

namespace Seeds.Rows;

/// <summary>What the client does with a reply before it sends again: with gRPC it was silent for 150-200 us.</summary>
internal static class GapRow
{
    private const double Goal = 50;

    public static async Task RunAsync(Plan plan)
    {
        Console.WriteLine("us from the reading of replies to the next send, on one connection; a batch of replies counts once, from where it begins");
        Console.WriteLine();
        Console.WriteLine("| in flight | calls/s | sends/s | p50 | p90 | p99 | p99.9 | max | above 50 us |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|---|");
        foreach (int inFlight in new[] { 1, 8, 32, 128 })
        {
            var rounds = new List<double[]>();
            for (int round = 0; round < plan.Rounds; round++) rounds.Add(await MeasureAsync(plan, inFlight));
            double Of(int figure) => Sample.Median(rounds.Select(round => round[figure]));
            Console.WriteLine($"| {inFlight} | {Of(0):N0} | {Of(1):N0} | {Of(2):F1} | {Of(3):F1} | {Of(4):F1} | {Of(5):F1} | {Of(6):F0} | {Of(7):P2} |");
        }
    }

    private static async Task<double[]> MeasureAsync(Plan plan, int inFlight)
    {
        using var server = ServerProcess.Start();
        var recorder = new LatencyRecorder();
        await using var clients = await Clients.ConnectAsync(server.Address, 1, new DecoratingTransport(SeedTransport.Create(), link => new GapLink(link, recorder)));
        var directory = clients.Proxies<IDirectory>()[0];
        var loop = new CallLoop<Employee>(inFlight, caller => directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = caller + 1 }));
        await loop.MeasureAsync(plan.Warmup);
        var earlier = new LatencyHistogram();
        earlier.Add(recorder);
        double rate = await loop.MeasureAsync(plan.Duration);
        var later = new LatencyHistogram();
        later.Add(recorder);
        await loop.StopAsync();

        var gaps = new LatencyHistogram();
        gaps.SetDifference(later, earlier);
        double above = 1 - (double)gaps.CountBelow((long)(Goal * 1000)) / gaps.Count;
        return [rate, gaps.Count / plan.Duration.TotalSeconds, .. new[] { 0.5, 0.9, 0.99, 0.999, 1 }.Select(quantile => gaps.Percentile(quantile) / 1000.0), above];
    }
}
