using System.Globalization;
using Evidence.Fleets;
using Evidence.Statistics;

namespace Evidence.Stalls;

/// <summary>How the calls of fewer clients than servers are spread: each client has a connection to each server, and chooses for each call.</summary>
internal static class HealthyShares
{
    private const int Servers = 3, Clients = 2, Callers = 50;
    private const double Fair = 100.0 / Servers, Tolerance = 5; // percent

    // Many times the second for which a slow reply is remembered: on a busy machine one counts for much in a shorter time.
    private static readonly TimeSpan s_time = TimeSpan.FromSeconds(15);

    public static async Task<bool> MeasureAsync(int rate)
    {
        List<FleetServer> servers = [.. Enumerable.Range(0, Servers).Select(number => new FleetServer(number, []))];
        try
        {
            double[] even = Shares(await CountAsync(servers, (fleet, answered) => CallEvenlyAsync(fleet, (double)rate / Clients, answered)));
            bool isMet = Array.TrueForAll(even, share => Math.Abs(share - Fair) <= Tolerance);
            Console.WriteLine($"shares of {Servers} servers of the calls of {Clients} clients that make {rate:N0} calls/s together for {s_time.TotalSeconds} s: {Text(even)}, goal {Fair:F0} +-{Tolerance} %: {Verdict.Of(isMet)}");
            double[] full = Shares(await CountAsync(servers, CallWithoutPauseAsync));
            Console.WriteLine($"the same with {Callers} callers each that never pause: {Text(full)}; no goal, because a server has what the processors give it");
            return isMet;
        }
        finally
        {
            foreach (var server in servers) server.Dispose();
        }
    }

    private static async Task<long[]> CountAsync(List<FleetServer> servers, Func<IFleet, long[], Task> load)
    {
        long[] answered = new long[Servers];
        await Task.WhenAll(Enumerable.Range(0, Clients).Select(async _ =>
        {
            await using var channel = await MuxChannel.ConnectAsync(FleetServer.AddressOf(servers));
            await load(channel.CreateProxy<IFleet>(), answered);
        }));
        return answered;
    }

    private static async Task CallEvenlyAsync(IFleet fleet, double perSecond, long[] answered)
    {
        var calls = new SteadyCalls(fleet, perSecond);
        await Task.Factory.StartNew(() => calls.Run(s_time.TotalMilliseconds), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await calls.EndAsync();
        foreach (var call in calls.Served) Interlocked.Increment(ref answered[call.Server]);
    }

    private static async Task CallWithoutPauseAsync(IFleet fleet, long[] answered)
    {
        using var stop = new CancellationTokenSource(s_time);
        await Task.WhenAll(Enumerable.Range(0, Callers).Select(_ => Task.Run(async () =>
        {
            while (!stop.IsCancellationRequested) Interlocked.Increment(ref answered[await fleet.Who()]);
        })));
    }

    private static double[] Shares(long[] answered) => [.. answered.Select(count => 100.0 * count / answered.Sum())];

    private static string Text(double[] shares) => string.Join(", ", shares.Select(share => string.Create(CultureInfo.InvariantCulture, $"{share:F1} %")));
}
