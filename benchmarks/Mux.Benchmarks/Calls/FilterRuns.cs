using System.Diagnostics;
using Mux.Filters;
using Mux.Transports.InMemory;

namespace Mux.Benchmarks.Calls;

/// <summary>
/// What filters add to a call. Whole calls with both sides on one thread, in batches of 200, in turns with the same calls without filters, so that what slows
/// the machine down slows all of them. Medians over the rounds of the difference to the calls without filters in the same round.
/// </summary>
internal static class FilterRuns
{
    private const int Rounds = 41;
    private const int BatchesPerRound = 250;
    private const int InFlight = 200;

    private static readonly (string Name, int Server, int Client, bool ReadsElapsed)[] s_cases =
    [
        ("none, as a check", 0, 0, false),
        ("server, 1 filter", 1, 0, false),
        ("server, 1 filter, Elapsed", 1, 0, true),
        ("server, 3 filters", 3, 0, false),
        ("channel, 1 filter", 0, 1, false),
    ];

    /// <summary>Measures all cases and prints a table.</summary>
    public static void Print(TextWriter output)
    {
        using var plain = new Pair(0, 0, readsElapsed: false);
        var pairs = s_cases.Select(static row => new Pair(row.Server, row.Client, row.ReadsElapsed)).ToArray();
        var differences = s_cases.Select(static _ => new List<double>()).ToArray();
        var bytes = new double[s_cases.Length];
        var times = new List<double>();
        for (int round = -3; round < Rounds; round++)
        {
            var (ownTime, ownBytes) = plain.Measure();
            for (int at = 0; at < pairs.Length; at++)
            {
                var (time, allocated) = pairs[at].Measure();
                if (round < 0) continue; // warms up
                differences[at].Add(time - ownTime);
                bytes[at] = allocated - ownBytes;
            }

            if (round >= 0) times.Add(ownTime);
        }

        output.WriteLine($"without filters: {Median(times):0.0} ns per call");
        for (int at = 0; at < pairs.Length; at++)
        {
            output.WriteLine($"{s_cases[at].Name,-26} +{Median(differences[at]),6:0.0} ns, +{bytes[at],4:0} B per call");
            pairs[at].Dispose();
        }
    }

    private static double Median(List<double> values)
    {
        values.Sort();
        return values[values.Count / 2];
    }

    /// <summary>A server and a channel.</summary>
    private sealed class Pair : IDisposable
    {
        private readonly InMemoryTransport _transport = new(new InMemoryTransportOptions { ManualPump = true, CapacityBytes = 1 << 20 });
        private readonly SearchEmployee _request = new() { Id = 1, RequestTime = 1 };
        private readonly ValueTask<Employee>[] _calls = new ValueTask<Employee>[InFlight]; // each is consumed once, after the pump
        private readonly MuxServer _server;
        private readonly MuxChannel _channel;
        private readonly IDirectory _directory;

        public Pair(int serverFilters, int clientFilters, bool readsElapsed)
        {
            var server = new MuxServerOptions { Address = "mux://memory:1", MaxConnections = 1, Transport = _transport };
            for (int i = 0; i < serverFilters; i++) server.Filters.Add(new PassingFilter(readsElapsed));
            _server = new MuxServer(server).AddService<IDirectory>(new DirectoryService());
            _server.Start();
            var channel = new MuxChannelOptions { Address = "mux://memory:1", Transport = _transport };
            for (int i = 0; i < clientFilters; i++) channel.Filters.Add(new PassingFilter(readsElapsed));
            _channel = MuxChannel.Create(channel);
            _directory = _channel.CreateProxy<IDirectory>();
        }

        public (double Nanoseconds, double Bytes) Measure()
        {
            long allocated = GC.GetAllocatedBytesForCurrentThread();
            long started = Stopwatch.GetTimestamp();
            for (int batch = 0; batch < BatchesPerRound; batch++) Call();
            double time = Stopwatch.GetElapsedTime(started).TotalNanoseconds;
            const double Calls = BatchesPerRound * InFlight;
            return (time / Calls, (GC.GetAllocatedBytesForCurrentThread() - allocated) / Calls);
        }

        public void Dispose()
        {
            _channel.Dispose();
            _server.Dispose();
        }

        private void Call()
        {
            for (int i = 0; i < _calls.Length; i++) _calls[i] = _directory.Search(_request);
            _transport.Pump();
            foreach (var call in _calls) _ = call.GetAwaiter().GetResult();
        }
    }

    private sealed class PassingFilter(bool readsElapsed) : MuxFilter
    {
        public override bool ReadsElapsed => readsElapsed;

        public override ValueTask RunAsync(MuxCall call, MuxNext next) => next.RunAsync(call);
    }

    private sealed class DirectoryService : IDirectory
    {
        public ValueTask<Employee> Search(SearchEmployee query, CancellationToken cancellationToken) => new(Employee.Example(query.RequestTime));
    }
}
