using System.Diagnostics;
using System.Globalization;
using Evidence.Fleets;
using Evidence.Programs;
using Evidence.Statistics;
using Evidence.Storms;
using Mux.Discovery;

namespace Evidence.Zones;

/// <summary>
/// More callers than the servers of their own zone have handlers for: how much of what those could serve they get, while the servers of other zones have room
/// for the rest.
/// </summary>
internal static class ZoneTable
{
    private const string Own = "a";
    private const int Near = 2, Far = 4;
    private const int Places = 64; // of a server, for one connection: it gets half of MaxHandlers
    private const int Milliseconds = 50; // of a call
    private const int Idle = 16; // callers that the own zone always has room for
    private const double LeastPart = 0.8; // of what the own zone could serve

    /// <returns>The exit code: 0 if all goals are met.</returns>
    public static async Task<int> RunAsync(CommandLine options)
    {
        double seconds = options.Seconds("--seconds", 5);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine(
            $"{Machine.Describe()}; {load.Describe()}; {Near} servers in the own zone, each with {Places} places for a connection, and {Far} without a limit in " +
            $"others; calls of {Milliseconds} ms");
        Console.WriteLine();
        Console.WriteLine("| callers | calls/s | of them in the own zone, % | if it were always full, % | calls sent again | calls failed | goal |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        string[] limited = ["--max-handlers", (2 * Places).ToString(CultureInfo.InvariantCulture)];
        List<FleetServer> servers = [.. Enumerable.Range(0, Near + Far).Select(number => new FleetServer(number, number < Near ? limited : []))];
        try
        {
            bool isMet = true;
            foreach (int callers in (int[])[Idle, 300, 600]) isMet &= await MeasureAsync(servers, callers, seconds);
            return isMet ? 0 : 1;
        }
        finally
        {
            foreach (var server in servers) server.Dispose();
        }
    }

    private static async Task<bool> MeasureAsync(List<FleetServer> servers, int callers, double seconds)
    {
        await using var channel = MuxChannel.Create(new MuxChannelOptions
        {
            Endpoints = new ZonedServers(servers.Select((server, index) => new MuxEndpoint(MuxAddress.Parse(server.Address))
            {
                Zone = index < Near ? Own : $"b{index % 2}",
            })),
            AllowPlaintext = true,
            MaxConnections = 1, // the limit is one of connections
            Balancing = { Zone = Own },
        });
        await channel.ConnectAsync();
        var fleet = channel.CreateProxy<IFleet>();
        await CallAsync(fleet, callers, 1); // compiled by then
        using var attempts = new FurtherAttempts();
        long before = attempts.Read().Values.Sum();
        var (own, others, failed) = await CallAsync(fleet, callers, seconds);
        long repeated = attempts.Read().Values.Sum() - before;
        double part = 100.0 * own / (own + others), possible = Math.Min(100.0 * Near * Places / callers, 100);
        bool isMet = failed == 0 && part >= possible * LeastPart;
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"| {callers} | {(own + others) / seconds:N0} | {part:F1} | {possible:F1} | {repeated:N0} | {failed:N0} | {possible * LeastPart:F0} %, none failed: {Verdict.Of(isMet)} |"));
        return isMet;
    }

    private static async Task<(long Own, long Others, long Failed)> CallAsync(IFleet fleet, int callers, double seconds)
    {
        long own = 0, others = 0, failed = 0, begin = Stopwatch.GetTimestamp();
        await Task.WhenAll(Enumerable.Range(0, callers).Select(_ => Task.Run(async () =>
        {
            while (Stopwatch.GetElapsedTime(begin).TotalSeconds < seconds)
            {
                try
                {
                    if (await fleet.Hold(Milliseconds) < Near) Interlocked.Increment(ref own);
                    else Interlocked.Increment(ref others);
                }
                catch (MuxException)
                {
                    Interlocked.Increment(ref failed);
                }
            }
        })));
        return (own, others, failed);
    }
}
