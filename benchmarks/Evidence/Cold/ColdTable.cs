using System.Globalization;
using Evidence.Recovery;
using Evidence.Serving;
using Evidence.Statistics;

namespace Evidence.Cold;

/// <summary>Many at once at a server that knows none of them: the callers of one cold channel, and the clients of a server that has started again.</summary>
internal static class ColdTable
{
    private const int Callers = 1_000;
    private const double FullRate = 0.95; // of the rate before
    private const int Window = 200 / ManyClients.Slot; // slots whose calls are a rate
    private const double Goal = 2_000; // ms

    private static readonly double[] s_away = [0, 2]; // seconds
    private static readonly TimeSpan s_load = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100), clients = options.Count("--clients", 1_000, 1, 9_000);
        Console.WriteLine(Machine.Describe());
        Console.WriteLine();
        int dials = 0;
        for (int round = 0; round < rounds; round++) dials = Math.Max(dials, await CountDialsAsync());
        Console.WriteLine($"{Callers:N0} callers of a cold channel, {rounds} rounds: at most {dials} dial(s), goal 1: {Verdict.Of(dials == 1)}");
        bool isMet = dials == 1 && await MeasureSocketsAsync();
        Console.WriteLine();
        Console.WriteLine($"{clients:N0} clients in one process, a channel each, 5 calls/s each; the server is killed and listens again:");
        Console.WriteLine();
        Console.WriteLine("| away, s | calls/s before | full rate after, ms: median, worst | every client served after, ms: median, worst | calls failed | goal, both | |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        foreach (double away in s_away) isMet &= await MeasureAsync(clients, away, rounds);
        return isMet ? 0 : 1;
    }

    private static async Task<int> CountDialsAsync()
    {
        using var server = PresenceServer.Prepare(0);
        var transport = new CountingTransport(EngineChoice.Transport(EngineChoice.All[0]));
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = $"mux://127.0.0.1:{server.Listen()}", Transport = transport });
        var presence = channel.CreateProxy<IPresence>();
        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var calls = Enumerable.Range(0, Callers).Select(caller => Task.Run(async () =>
        {
            await go.Task;
            if (await presence.Echo(caller) != caller) throw new EvidenceException($"Caller {caller} got another's reply.");
        })).ToList();
        go.SetResult();
        await Task.WhenAll(calls);
        return transport.Dials;
    }

    private static async Task<bool> MeasureSocketsAsync()
    {
        const int MostHeldBack = 10;
        int mostSockets = 2 * Math.Min(Environment.ProcessorCount, 4); // both ends of the most connections that a channel has by default
        using var server = PresenceServer.Prepare(0);
        int port = server.Listen();
        await using var channel = MuxChannel.Create($"mux://127.0.0.1:{port}");
        var presence = channel.CreateProxy<IPresence>();
        long answered = 0;
        using var stop = new CancellationTokenSource(s_load);
        var running = Task.WhenAll(Enumerable.Range(0, Callers).Select(caller => Task.Run(async () =>
        {
            for (; !stop.IsCancellationRequested; Interlocked.Increment(ref answered)) await presence.Echo(caller);
        })));
        int most = 0;
        for (; !running.IsCompleted; await Task.Delay(100)) most = Math.Max(most, Sockets.Of(port).Established);
        await running;
        int heldBack = Sockets.Of(port).TimeWait;
        bool isMet = most <= mostSockets && heldBack <= MostHeldBack;
        Console.WriteLine($"{Callers:N0} callers of one channel for {s_load.TotalSeconds} s, {answered:N0} calls: at most {most} sockets, both ends counted, "
            + $"goal {mostSockets}; {heldBack} in TIME_WAIT, goal {MostHeldBack}: {Verdict.Of(isMet)}");
        return isMet;
    }

    private static async Task<bool> MeasureAsync(int count, double away, int rounds)
    {
        var server = PresenceServer.Prepare(0);
        int port = server.Listen();
        var full = new List<double>();
        var served = new List<double>();
        var rates = new List<double>();
        await using var clients = new ManyClients(port, count);
        clients.Start();
        try
        {
            for (int round = 0; round < rounds; round++)
            {
                await UntilAsync(() => clients.AllServedAt is not null);
                await Task.Delay(1_000);
                int from = ManyClients.SlotOf(clients.Now);
                await Task.Delay(2_000);
                int slots = ManyClients.SlotOf(clients.Now) - from;
                double each = (double)clients.AnsweredIn(from, slots) / slots;
                rates.Add(each * 1_000 / ManyClients.Slot);
                var next = PresenceServer.Prepare(port);
                server.Dispose();
                server = next;
                await Task.Delay(TimeSpan.FromSeconds(away));
                clients.ForgetServed();
                server.Listen();
                double back = clients.Now;
                await UntilAsync(() => clients.AllServedAt is not null && FullFrom(back, each) is not null);
                full.Add((FullFrom(back, each)!.Value + Window) * ManyClients.Slot - back);
                served.Add(Math.Max(0, clients.AllServedAt!.Value - back));
            }
        }
        finally
        {
            server.Dispose();
        }

        bool isMet = full.Max() <= Goal && served.Max() <= Goal;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"| {away} | {Estimate.MedianOf(rates):N0} | {Estimate.MedianOf(full):F0}, {full.Max():F0} | {Estimate.MedianOf(served):F0}, {served.Max():F0} | {clients.Failed} | <= {Goal} | {Verdict.Of(isMet)} |"));
        return isMet;

        // The first slot from which on the calls of a window come at the full rate.
        int? FullFrom(double back, double each)
        {
            for (int slot = ManyClients.SlotOf(back) + 1; slot + Window <= ManyClients.SlotOf(clients.Now); slot++)
            {
                if (clients.AnsweredIn(slot, Window) >= FullRate * each * Window) return slot;
            }

            return null;
        }
    }

    private static async Task UntilAsync(Func<bool> holds)
    {
        using var patience = new CancellationTokenSource(s_patience);
        while (!holds())
        {
            if (patience.IsCancellationRequested) throw new EvidenceException($"The clients were not served at the full rate within {s_patience.TotalSeconds:F0} s of the server's return.");
            await Task.Delay(10);
        }
    }
}
