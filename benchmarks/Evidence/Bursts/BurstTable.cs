using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Globalization;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Bursts;

/// <summary>
/// What becomes of calls that are all made at once, each within the limits of a message, on one connection with default options: how many fail, and what both sides hold
/// meanwhile. Both ends are in this process, over loopback.
/// </summary>
internal static class BurstTable
{
    private static readonly Burst[] s_bursts =
    [
        new("1,000 requests of 100 kB", 1_000, 100_000, 0, 0),
        new("400 requests of 300 kB", 400, 300_000, 0, 0),
        new("60 requests of 1 MB", 60, 1_000_000, 0, 0),
        new("20 replies of 3.9 MB", 20, 0, 3_900_000, 0),
        new("60 requests of 3.9 MB, which handlers keep for 100 ms", 60, 3_900_000, 0, 100),
    ];

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 3, 1, 100);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {rounds} rounds");
        Console.WriteLine();
        Console.WriteLine("| calls, all at once on one connection | failed, of all rounds | goal | | most held by the server, MiB | most kept by the client, MiB | s for all (median) |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        bool isMet = true;
        foreach (var burst in s_bursts)
        {
            int failed = 0;
            var seconds = new List<double>();
            using var held = new HeldMemory();
            for (int round = 0; round < rounds; round++)
            {
                var (failures, time) = await MeasureAsync(burst, held);
                failed += failures;
                seconds.Add(time);
            }

            isMet &= failed == 0;
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"| {burst.Name} | {failed} | 0 | {Verdict.Of(failed == 0)} | {held.Server} | {held.Client} | {Estimate.MedianOf(seconds):F2} |"));
        }

        return await SlowBursts.RunAsync(rounds) && isMet ? 0 : 1;
    }

    private static async Task<(int Failed, double Seconds)> MeasureAsync(Burst burst, HeldMemory held)
    {
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0" }).AddService<IBurst>(new Keeper());
        server.Start();
        await using var channel = await MuxChannel.ConnectAsync(new MuxChannelOptions { Address = server.Address.ToString(), MaxConnections = 1 });
        var proxy = channel.CreateProxy<IBurst>();
        byte[] request = new byte[burst.Request];
        using var watching = held.Watch();
        long start = Stopwatch.GetTimestamp();
        var calls = Enumerable.Range(0, burst.Calls).Select(_ => proxy.Exchange(request, burst.Reply, burst.KeepMilliseconds).AsTask()).ToArray();
        int failed = 0;
        foreach (var call in calls)
        {
            try
            {
                if ((await call).Length != burst.Reply) throw new EvidenceException("A reply has another length than was asked for.");
            }
            catch (MuxException error)
            {
                if (failed++ == 0) await Console.Error.WriteLineAsync(error.Message);
            }
        }

        return (failed, Stopwatch.GetElapsedTime(start).TotalSeconds);
    }

    private sealed record Burst(string Name, int Calls, int Request, int Reply, int KeepMilliseconds);

    private sealed class Keeper : IBurst
    {
        public async ValueTask<byte[]> Exchange(byte[] request, int reply, int keepMilliseconds, CancellationToken cancellationToken = default)
        {
            if (keepMilliseconds > 0) await Task.Delay(keepMilliseconds, cancellationToken);
            return new byte[reply];
        }

        public ValueTask<int> Wait(int number, CancellationToken cancellationToken) => new(number);
    }

    /// <summary>The largest values of two metrics, looked at two hundred times a second.</summary>
    private sealed class HeldMemory : IDisposable
    {
        private readonly MeterListener _listener = new();
        private long _server, _client;

        public HeldMemory()
        {
            _listener.InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Name is "mux.server.held_bytes" or "mux.client.kept_bytes") listener.EnableMeasurementEvents(instrument);
            };
            _listener.SetMeasurementEventCallback<long>((instrument, value, _, _) =>
            {
                if (instrument.Name == "mux.server.held_bytes") _server = Math.Max(_server, value);
                else _client = Math.Max(_client, value);
            });
            _listener.Start();
        }

        public long Server => _server >> 20;

        public long Client => _client >> 20;

        /// <summary>Looks until the result is disposed.</summary>
        public Timer Watch() => new Timer(_ => _listener.RecordObservableInstruments(), null, 0, 5);

        public void Dispose() => _listener.Dispose();
    }
}
