using Evidence.Programs;
using Evidence.Serving;
using Evidence.Statistics;

namespace Evidence.Connections;

/// <summary>
/// What an idle connection costs the server, and the client with its channel: the growth of their resident sets while there are many, divided by them. The first round has code to
/// compile and tables to grow, so the third of three counts. The sockets themselves are the kernel's memory and apart.
/// </summary>
internal static class IdleMemory
{
    private const int Rounds = 3;

    // The portable engine gives back the buffer of a connection that was idle for a second.
    private static readonly TimeSpan s_untilIdle = TimeSpan.FromSeconds(3);

    public static async Task RunAsync(CommandLine options)
    {
        var engine = EngineChoice.Read(options);
        int count = options.Count("--connections", 10_000, 1, 15_000);
        Console.WriteLine($"{Machine.Describe()}, engine {engine}, {count:N0} idle connections");
        Console.WriteLine();
        Console.WriteLine(
            "| round | server RSS without, MiB | with, MiB | KiB per connection | managed part, KiB | since the start, KiB per connection | client, KiB per channel | managed part, KiB |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|");
        var third = await MeasureAsync(engine, count, Console.WriteLine);
        Console.WriteLine();
        Console.WriteLine($"{third}, goal 4: {Verdict.Of(third.IsGoalMet)}");
    }

    /// <summary>Makes the rounds.</summary>
    /// <param name="engine">Of both ends.</param>
    /// <param name="count">Connections.</param>
    /// <param name="report">Told a row per round.</param>
    /// <returns>The last round.</returns>
    public static async Task<IdleRound> MeasureAsync(string engine, int count, Action<string> report)
    {
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve", "--engine", engine]);
        var transport = EngineChoice.Transport(engine);
        await using var observer = MuxChannel.Create(new MuxChannelOptions { Address = server.AddressOf(), Transport = transport });
        var memory = observer.CreateProxy<IServerMemory>();
        await memory.ReadAsync(); // compiled by then
        var start = await memory.ReadAsync();
        var own = new ServerMemoryService();
        IdleRound last = default;
        for (int round = 1; round <= Rounds; round++)
        {
            var without = await memory.ReadAsync();
            var ownWithout = await own.ReadAsync();
            var connections = await IdleConnections.OpenAsync(server.AddressOf(host: 1 + round), count, transport);
            await Task.Delay(s_untilIdle);
            var with = await memory.ReadAsync();
            var ownWith = await own.ReadAsync();
            await connections.DisposeAsync();
            last = new(KibEach(with.Resident - without.Resident), KibEach(with.Resident - start.Resident), KibEach(ownWith.Resident - ownWithout.Resident));
            report($"| {round} | {Mib(without.Resident):F1} | {Mib(with.Resident):F1} | {last.Each:F2} | {KibEach(with.Managed - without.Managed):F2} | {last.SinceStart:F2} | "
                + $"{last.Client:F2} | {KibEach(ownWith.Managed - ownWithout.Managed):F2} |");
        }

        return last;

        double KibEach(long bytes) => bytes / 1024.0 / count;
        static double Mib(long bytes) => bytes / 1024.0 / 1024;
    }
}
