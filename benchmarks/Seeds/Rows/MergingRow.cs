using Seeds.Contracts;
using Seeds.Load;
using Seeds.Serving;
using Seeds.Transports;

namespace Seeds.Rows;

/// <summary>Merging on and off, in turns: 10 connections x 200 in flight, and 10 x 1, where there is nothing to merge.</summary>
internal static class MergingRow
{
    private const int Connections = 10;

    public static async Task RunAsync(Plan plan)
    {
        Console.WriteLine("| shape | merged, calls/s | calls per send | one send per frame, calls/s | calls per send | ratio |");
        Console.WriteLine("|---|---|---|---|---|---|");
        foreach (int inFlight in new[] { 200, 1 })
        {
            var on = new List<(double Rate, double Batch)>();
            var off = new List<(double Rate, double Batch)>();
            for (int round = 0; round < plan.Rounds; round++)
            {
                on.Add(await MeasureAsync(plan, inFlight, isMerging: true));
                off.Add(await MeasureAsync(plan, inFlight, isMerging: false));
            }

            double onRate = Sample.Median(on.Select(figure => figure.Rate));
            double offRate = Sample.Median(off.Select(figure => figure.Rate));
            Console.WriteLine($"| {Connections}x{inFlight} | {onRate:N0} | {Sample.Median(on.Select(figure => figure.Batch)):F1} | {offRate:N0} | {Sample.Median(off.Select(figure => figure.Batch)):F1} | {onRate / offRate:F2} |");
        }
    }

    private static async Task<(double Rate, double Batch)> MeasureAsync(Plan plan, int inFlight, bool isMerging)
    {
        using var server = ServerProcess.Start(isMerging);
        await using var clients = await Clients.ConnectAsync(server.Address, Connections, isMerging ? SeedTransport.Create() : SeedTransport.CreateUnmerged());
        var directories = clients.Proxies<IDirectory>();
        var loop = new CallLoop<Employee>(Connections * inFlight, caller => directories[caller % Connections].SearchAsync(new SearchEmployee { Id = 1, RequestTime = caller + 1 }));
        await loop.MeasureAsync(plan.Warmup);
        var before = Read();
        double rate = await loop.MeasureAsync(plan.Duration);
        var after = Read();
        await loop.StopAsync();
        return (rate, (after.Calls - before.Calls) / (double)(after.Sends - before.Sends));

        (long Calls, long Sends) Read()
        {
            var statistics = Array.ConvertAll(clients.Channels, channel => channel.GetStatistics());
            return (statistics.Sum(channel => channel.CallsCompleted), isMerging ? statistics.Sum(channel => channel.Sends) : UnmergedLink.Sends);
        }
    }
}
