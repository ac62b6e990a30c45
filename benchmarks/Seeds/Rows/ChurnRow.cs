using System.Diagnostics;
using Mux.Transports;
using Seeds.Contracts;
using Seeds.Load;
using Seeds.Serving;

namespace Seeds.Rows;

/// <summary>Connections that come and go, each for one call. What a round leaves behind shows in the next ones.</summary>
internal static class ChurnRow
{
    private const int Cycles = 10_000;
    private const int WarmCycles = 2_000;
    private const int AtOnce = 2;

    public static async Task RunAsync(Plan plan)
    {
        ArrayPools.Fill();
        using var server = ServerProcess.Start();
        var transport = SeedTransport.Create();
        await using var load = await FullLoad.StartAsync(server.Address, transport);
        await load.Loop.MeasureAsync(plan.Warmup);
        await CycleAsync(server.Address, transport, WarmCycles);
        var (serverStart, clientStart) = (await ReadAsync(load.State), ProcessMemory.ReadManaged());

        Console.WriteLine($"{Cycles} connections a round, {AtOnce} at a time, beside {FullLoad.Connections} connections x {FullLoad.InFlight} in flight, after {WarmCycles} that warm up; managed memory with full pools, after a full collection");
        Console.WriteLine();
        Console.WriteLine("| after round | connections/s | the others' calls/s | server, KiB | of the start | server resident, KiB | client, KiB | of the start | open connections |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|---|");
        Write("start | | ", serverStart, serverStart.Managed, clientStart, clientStart);
        for (int round = 1; round <= plan.Rounds; round++)
        {
            long calls = load.Loop.Count;
            long start = Stopwatch.GetTimestamp();
            await CycleAsync(server.Address, transport, Cycles);
            double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
            Write($"{round} | {Cycles / seconds:N0} | {(load.Loop.Count - calls) / seconds:N0}", await ReadAsync(load.State), serverStart.Managed, ProcessMemory.ReadManaged(), clientStart);
        }
    }

    private static void Write(string round, ServerState server, long serverStart, long client, long clientStart)
    {
        Console.WriteLine(
            $"| {round} | {server.Managed / 1024:N0} | {(double)server.Managed / serverStart:F3} | {server.Resident / 1024:N0} | {client / 1024:N0} | {(double)client / clientStart:F3} | {server.OpenConnections} |");
    }

    private static Task CycleAsync(string address, ITransport transport, int cycles)
    {
        return Parallel.ForAsync(0, cycles, new ParallelOptions { MaxDegreeOfParallelism = AtOnce }, async (_, _) =>
        {
            await using var client = await Clients.ConnectAsync(address, 1, transport);
            await client.Proxies<IUsers>()[0].AddAsync(1, 2);
        });
    }

    /// <summary>Once the server has seen the last connection go.</summary>
    private static async Task<ServerState> ReadAsync(IServerState state)
    {
        while (true)
        {
            if ((await state.GlanceAsync()).OpenConnections == FullLoad.Connections + 1) return await state.ReadAsync();
            await Task.Delay(10);
        }
    }
}
