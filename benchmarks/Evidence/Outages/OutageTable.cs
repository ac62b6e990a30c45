using System.Globalization;
using Evidence.Fleets;
using Evidence.Programs;
using Evidence.Stalls;
using Evidence.Statistics;
using Mux.Discovery.Etcd;

namespace Evidence.Outages;

/// <summary>
/// Three servers that are away: all of them for a moment, again and again; and one of them for longer. When a server
/// is back, it is to have its share of the calls within two seconds.
/// </summary>
internal static class OutageTable
{
    private const int Servers = 3, Rate = 600;
    private const double Fair = 100.0 / Servers; // percent, of 900 calls
    private const double PartOfTolerance = 0.4; // that one server of three may lack while nothing else happens: 28.5 % is its goal by default
    private const double Settling = 2_000, Measured = 1_500; // ms
    private const int Shortest = 100, Longest = 5_000; // ms

    /// <returns>The exit code: 0 if all goals are met.</returns>
    public static async Task<int> RunAsync(CommandLine options)
    {
        int outages = options.Count("--outages", 100, 1, 10_000), most = options.Count("--away", 80, 1, 600);
        double tolerance = options.Count("--tolerance", 12, 1, 30); // percent of all calls, to both sides of the fair share
        var source = options.Choice("--source", "list", ["list", "etcd", "dns"]);
        bool isEtcd = source == "etcd";
        if (isEtcd && !EtcdMember.IsInstalled)
        {
            Console.WriteLine("This machine has no etcd.");
            return 3;
        }

        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {Servers} servers, one channel with {Describe(source)}, {Rate} calls/s");
        Console.WriteLine();
        using var etcd = isEtcd ? await EtcdMember.StartAsync() : null;
        string[] registry = etcd is null ? [] : ["--registry", etcd.Target];
        var servers = StartAll(source, registry);
        try
        {
            var names = source == "dns" ? new NameTable(servers) : null;
            await using var channel = MuxChannel.Create(new MuxChannelOptions
            {
                Address = etcd?.Target ?? names?.Target ?? FleetServer.AddressOf(servers),
                Endpoints = etcd is null ? names?.CreateSource() : new EtcdEndpointSource(etcd.Target),
                AllowPlaintext = true,
            });
            await channel.ConnectAsync();
            var calls = new SteadyCalls(channel.CreateProxy<IFleet>(), Rate);
            using var stop = new CancellationTokenSource();
            var running = Task.Factory.StartNew(
                () =>
                {
                    while (!stop.IsCancellationRequested) calls.Run(calls.Now + 100);
                },
                CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
            await Task.Delay(2_000); // compiled by then
            bool areAllMet = await MeasureAllAsync(servers, calls, outages, tolerance);
            double goal = Fair - (tolerance * PartOfTolerance);
            bool isOneMet = await MeasureOneAsync(servers, calls, most, goal, dropping: null);
            if (names is not null) isOneMet &= await MeasureOneAsync(servers, calls, most, goal, names);
            await stop.CancelAsync();
            await running;
            return areAllMet && isOneMet ? 0 : 1;
        }
        finally
        {
            foreach (var server in servers) server.Dispose();
        }
    }

    private static string Describe(string source) => source switch
    {
        "etcd" => "etcd, where they register for 3 s",
        "dns" => "their name in DNS, asked as mux+dns does",
        _ => "a list of their addresses",
    };

    /// <summary>Starts the servers; those of one name at one port.</summary>
    private static List<FleetServer> StartAll(string source, string[] registry)
    {
        var first = new FleetServer(0, registry);
        string[] port = ["--port", first.Port.ToString(CultureInfo.InvariantCulture)];
        return [first, .. Enumerable.Range(1, Servers - 1).Select(number =>
            source == "dns" ? new FleetServer(number, port, NameTable.HostOf(number)) : new FleetServer(number, registry))];
    }

    /// <summary>All servers go away at once, killed and stopped in turns, and come back.</summary>
    private static async Task<bool> MeasureAllAsync(List<FleetServer> servers, SteadyCalls calls, int outages, double tolerance)
    {
        var random = new Random(33);
        var least = new List<double>();
        int starved = 0, uneven = 0;
        for (int outage = 0; outage < outages; outage++)
        {
            bool isKill = outage % 2 == 0;
            await Task.WhenAll(servers.Select(server => isKill ? server.KillAsync() : server.StopAsync()));
            await Task.Delay(random.Next(Shortest, Longest));
            await Task.WhenAll(servers.Select(server => Task.Run(server.Start)));
            double[] shares = await SharesAsync(calls);
            least.Add(shares.Min());
            if (shares.Min() < 1) starved++;
            if (!Array.TrueForAll(shares, share => Math.Abs(share - Fair) <= tolerance)) uneven++;
        }

        bool isMet = uneven == 0;
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"all away for {Shortest / 1e3} to {Longest / 1e3} s, {outages} times: the smallest share of a server from 2 s after their return on: " +
            $"{Estimate.MedianOf(least):F1} % (median), {least.Min():F1} % (least); {starved} times a server had none, {uneven} times the shares were uneven; " +
            $"goal {Fair:F0} +-{tolerance} % each time: {Verdict.Of(isMet)}"));
        return isMet;
    }

    /// <summary>One server goes away for longer and longer.</summary>
    /// <param name="servers">All of them.</param>
    /// <param name="calls">Those that go on meanwhile.</param>
    /// <param name="most">The longest time away, in seconds.</param>
    /// <param name="goal">The least share, in percent.</param>
    /// <param name="dropping">Lacks the server while it is away: its return is then the first answer that has it again. Null if it stays named.</param>
    private static async Task<bool> MeasureOneAsync(List<FleetServer> servers, SteadyCalls calls, int most, double goal, NameTable? dropping)
    {
        bool isMet = true;
        var (away, back) = dropping is null
            ? ("killed", "its first call after its return, s")
            : ("killed and not named", "the next answer, s | its first call after that, s");
        Console.WriteLine();
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"| one server of three {away} for, s | {back} | its share of the calls from 2 s on | goal {goal:F1} % |"));
        Console.WriteLine(dropping is null ? "|---|---|---|---|" : "|---|---|---|---|---|");
        int[] times = [1, 2, 3, 5, 10, 30, 80, 200, 600];
        foreach (int seconds in times.Where(time => time <= most))
        {
            dropping?.Drop(0);
            await servers[0].KillAsync();
            var pause = Task.Delay(TimeSpan.FromSeconds(seconds));
            if (dropping is not null) await dropping.AwaitAnswerAsync();
            await pause;
            servers[0].Start();
            double named = calls.Now;
            dropping?.NameAll();
            if (dropping is not null) await dropping.AwaitAnswerAsync();
            double returned = calls.Now;
            string found = dropping is null ? string.Empty : string.Create(CultureInfo.InvariantCulture, $" {(returned - named) / 1_000:F1} |");
            double share = (await SharesAsync(calls))[0];
            double first = calls.Served.Where(call => call.Server == 0 && call.Due >= returned).Select(call => call.Due - returned).DefaultIfEmpty(double.NaN).Min();
            bool isRowMet = share >= goal;
            isMet &= isRowMet;
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"| {seconds} |{found} {first / 1_000:F2} | {share:F1} % | {Verdict.Of(isRowMet)} |"));
        }

        return isMet;
    }

    /// <summary>The shares of the servers, in percent, from two seconds after now on.</summary>
    private static async Task<double[]> SharesAsync(SteadyCalls calls)
    {
        double begin = calls.Now + Settling, end = begin + Measured;
        await Task.Delay(TimeSpan.FromMilliseconds(Settling + Measured + 100));
        var counted = calls.Served.Where(call => call.Due >= begin && call.Due < end).ToList();
        return [.. Enumerable.Range(0, Servers).Select(server => 100.0 * counted.Count(call => call.Server == server) / Math.Max(counted.Count, 1))];
    }
}
