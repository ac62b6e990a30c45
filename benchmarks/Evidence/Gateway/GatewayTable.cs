using System.Diagnostics;
using Evidence.Programs;
using Evidence.Serving;
using Evidence.Statistics;
using Mux.Transports.Epoll;
using Seeds.Contracts;

namespace Evidence.Gateway;

/// <summary>
/// Processor time of a gateway and of a server for a call, in the same run. A gateway does the work of a server and that of a client for each call, without
/// decoding and without a handler.
/// </summary>
internal static class GatewayTable
{
    /// <summary>A gateway costs at most this many times what the server costs that is called without it.</summary>
    private const double Goal = 1.6;

    /// <summary>
    /// The goal is for the default. With one connection every process waits for the others in each turn, and polls meanwhile
    /// (<see cref="EpollTransportOptions.PollTime"/>): a gateway waits twice in each round. What its work alone costs is seen without polls.
    /// </summary>
    private static readonly (Shape Shape, string Engine)[] s_loads =
    [
        (new(1, 50), EngineChoice.Epoll), (new(10, 20), EngineChoice.Epoll), (new(10, 200), EngineChoice.Epoll),
        (new(1, 50), EngineChoice.EpollWithoutPolling), (new(10, 20), EngineChoice.EpollWithoutPolling), (new(10, 200), EngineChoice.EpollWithoutPolling),
    ];

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100);
        double seconds = options.Seconds("--seconds", 2), warmup = options.Seconds("--warmup", 1);
        Console.WriteLine($"{Machine.Describe()}, employee calls, medians of {rounds} rounds of {seconds} s; processor time in us per call");
        Console.WriteLine();
        Console.WriteLine("| load | engine | calls/s direct | through the gateway | server, direct | server, behind | gateway | gateway / server, direct |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|");
        bool isMet = true;
        foreach (var (shape, engine) in s_loads)
        {
            var all = new List<(Figures Direct, Figures Through)>();
            for (int round = 0; round < rounds; round++) all.Add(await MeasureAsync(shape, engine, TimeSpan.FromSeconds(seconds), TimeSpan.FromSeconds(warmup)));
            var ratio = Estimate.Of([.. all.Select(pair => pair.Through.Gateway / pair.Direct.Server)]);
            bool isGoal = engine == EngineChoice.Epoll;
            if (isGoal) isMet &= ratio.Median <= Goal;
            Console.WriteLine($"| {shape} | {engine} | {Of(pair => pair.Direct.Rate):N0} | {Of(pair => pair.Through.Rate):N0} | {Of(pair => pair.Direct.Server):F2} | {Of(pair => pair.Through.Server):F2} | {Of(pair => pair.Through.Gateway):F2} | {ratio.Median:F2} ({ratio.Low:F2} to {ratio.High:F2}){(isGoal ? string.Empty : ", reported")} |");

            double Of(Func<(Figures Direct, Figures Through), double> figure) => Estimate.MedianOf(all.Select(figure));
        }

        Console.WriteLine();
        Console.WriteLine($"goal: a gateway costs at most {Goal} times what a server costs: {(isMet ? "met" : "NOT MET")}");
        return isMet ? 0 : 1;
    }

    private static async Task<(Figures Direct, Figures Through)> MeasureAsync(Shape shape, string engine, TimeSpan duration, TimeSpan warmup)
    {
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve", "--engine", engine]);
        using var gateway = RunningServer.Start(BuiltProgram.Self, ["serve-gateway", server.AddressOf(), "--engine", engine]);
        return (await LoadAsync(server, null, shape, engine, duration, warmup), await LoadAsync(server, gateway, shape, engine, duration, warmup));
    }

    private static async Task<Figures> LoadAsync(RunningServer server, RunningServer? gateway, Shape shape, string engine, TimeSpan duration, TimeSpan warmup)
    {
        var channels = Enumerable.Range(0, shape.Connections).Select(_ => Connect()).ToList();
        bool isStopped = false;
        try
        {
            var callers = channels.SelectMany(channel => Enumerable.Range(0, shape.InFlight).Select(number => CallAsync(channel.CreateProxy<IDirectory>(), number)));
            var running = Task.WhenAll(callers.ToList());
            await Task.WhenAny(running, Task.Delay(warmup));
            var (calls, ofServer, ofGateway, start) = (Calls(), CpuOf(server), CpuOf(gateway), Stopwatch.GetTimestamp());
            await Task.WhenAny(running, Task.Delay(duration));
            var elapsed = Stopwatch.GetElapsedTime(start);
            (calls, ofServer, ofGateway) = (Calls() - calls, CpuOf(server) - ofServer, CpuOf(gateway) - ofGateway);
            isStopped = true;
            await running; // throws if a call has failed
            return new Figures(calls / elapsed.TotalSeconds, ofServer.TotalMicroseconds / calls, ofGateway.TotalMicroseconds / calls);
        }
        finally
        {
            foreach (var channel in channels) await channel.DisposeAsync();
        }

        MuxChannel Connect() => MuxChannel.Create(new MuxChannelOptions { Address = (gateway ?? server).AddressOf(), Transport = EngineChoice.Transport(engine) });

        long Calls() => channels.Sum(channel => channel.GetStatistics().CallsCompleted);

        async Task CallAsync(IDirectory directory, double number)
        {
            for (; !isStopped; number += shape.InFlight)
            {
                var employee = await directory.SearchAsync(new SearchEmployee { Id = 1, RequestTime = number });
                if (employee.RequestTime != number) throw new EvidenceException($"Call {number} got the reply to call {employee.RequestTime}.");
            }
        }
    }

    private static TimeSpan CpuOf(RunningServer? program)
    {
        if (program is null) return TimeSpan.Zero;
        using var process = Process.GetProcessById(program.ProcessId);
        return process.TotalProcessorTime;
    }

    /// <param name="Rate">Calls per second.</param>
    /// <param name="Server">Microseconds of the server for a call.</param>
    /// <param name="Gateway">Microseconds of the gateway for a call.</param>
    private sealed record Figures(double Rate, double Server, double Gateway);
}
