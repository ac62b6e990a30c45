using System.Diagnostics;
using Evidence.Methods;
using Evidence.Statistics;
using Seeds.Contracts;
using Seeds.Serving;

namespace Evidence.Turns;

/// <summary>
/// What a call costs in the turns of both sides: one connection in memory, one thread, no system call. The least of the rounds is steady even where other
/// programs share the machine, so two builds can be compared to a percent.
/// </summary>
internal static class TurnTable
{
    private const int BatchesPerRound = 100;

    public static async Task RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 60, 1, 10_000), inFlight = options.Count("--in-flight", 200, 1, 2_000);
        int methods = options.Count("--methods", 0, 0, MethodSources.Methods); // 0 for the one of the benchmarks, which needs no compiler
        var warmup = TimeSpan.FromSeconds(options.Seconds("--warmup", 3));
        using var assembly = methods == 0 ? null : MethodAssembly.Compile();
        var set = assembly is null ? null : MethodAssembly.Load(assembly.Path);
        var transport = new PumpedTransport();
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://memory:1", MaxConnections = 1, Transport = transport });
        server.AddService<IDirectory>(new DirectoryService());
        set?.AddServices(server);
        server.Start();
        await using var channel = MuxChannel.Create(
            new MuxChannelOptions { Address = "mux://memory:1", Transport = transport, DrainTimeout = TimeSpan.Zero });
        CallLoops loops = set is null ? new DirectoryLoops(channel.CreateProxy<IDirectory>()) : new MethodLoops(set.CreateCalls(channel)[..methods]);
        loops.Start(inFlight);

        var (client, served) = (new List<double>(), new List<double>());
        var pump = new Thread(() => Measure(transport, loops, warmup, rounds, client, served)) { Name = "pump" };
        pump.Start();
        pump.Join();
        Console.WriteLine($"{Machine.Describe()}; {(methods == 0 ? string.Empty : $"{methods} methods in turn, ")}{inFlight} calls in flight on one connection in memory, one thread, {rounds} rounds of {BatchesPerRound} batches");
        Console.WriteLine();
        Console.WriteLine("| side | least, ns per call | median |");
        Console.WriteLine("|---|---|---|");
        Console.WriteLine($"| client: reply, code after the call, next call | {client.Min():F1} | {Estimate.MedianOf(client):F1} |");
        Console.WriteLine($"| server: request, handler, reply | {served.Min():F1} | {Estimate.MedianOf(served):F1} |");
    }

    private static void Measure(PumpedTransport transport, CallLoops loops, TimeSpan warmup, int rounds, List<double> client, List<double> served)
    {
        long begun = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(begun) < warmup) transport.Pump();
        for (int round = 0; round < rounds; round++)
        {
            long calls = loops.Answered;
            transport.Client!.Busy = transport.Server!.Busy = 0;
            for (int batch = 0; batch < BatchesPerRound; batch++) transport.Pump();
            calls = loops.Answered - calls;
            client.Add(NanosecondsPerCall(transport.Client.Busy, calls));
            served.Add(NanosecondsPerCall(transport.Server.Busy, calls));
        }

        loops.Stop();
        while (transport.Pump())
        {
        }
    }

    private static double NanosecondsPerCall(long ticks, long calls) => ticks * 1e9 / Stopwatch.Frequency / calls;
}
