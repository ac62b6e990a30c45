using System.Diagnostics;
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

    // Until the runtime has compiled all of it for good.
    private static readonly TimeSpan s_warmup = TimeSpan.FromSeconds(3);

    public static async Task RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 60, 1, 10_000), inFlight = options.Count("--in-flight", 200, 1, 2_000);
        var transport = new PumpedTransport();
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://memory:1", Transport = transport });
        server.AddService<IDirectory>(new DirectoryService()).Start();
        await using var channel = MuxChannel.Create(
            new MuxChannelOptions { Address = "mux://memory:1", Transport = transport, DrainTimeout = TimeSpan.Zero });
        var directory = channel.CreateProxy<IDirectory>();
        var loops = new CallLoops(directory);
        loops.Start(inFlight);

        var (client, served) = (new List<double>(), new List<double>());
        var pump = new Thread(() => Measure(transport, loops, rounds, client, served)) { Name = "pump" };
        pump.Start();
        pump.Join();
        Console.WriteLine($"{Machine.Describe()}; {inFlight} calls in flight on one connection in memory, one thread, {rounds} rounds of {BatchesPerRound} batches");
        Console.WriteLine();
        Console.WriteLine("| side | least, ns per call | median |");
        Console.WriteLine("|---|---|---|");
        Console.WriteLine($"| client: reply, code after the call, next call | {client.Min():F1} | {Estimate.MedianOf(client):F1} |");
        Console.WriteLine($"| server: request, handler, reply | {served.Min():F1} | {Estimate.MedianOf(served):F1} |");
    }

    private static void Measure(PumpedTransport transport, CallLoops loops, int rounds, List<double> client, List<double> served)
    {
        long begun = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(begun) < s_warmup) transport.Pump();
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
