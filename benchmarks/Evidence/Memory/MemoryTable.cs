using Evidence.Blocking;
using Evidence.Programs;

namespace Evidence.Memory;

/// <summary>What peers make a server hold, at most and half a minute after they left: once with the memory of the machine, once as in a container.</summary>
internal static class MemoryTable
{
    private const int MiB = 1 << 20;
    private const int Messages = 15;
    private const int MessageLength = 4 * MiB;

    /// <summary>MiB above the start that a server may have after 30 s without traffic.</summary>
    private const long Goal = 64;

    private static readonly TimeSpan s_quiet = TimeSpan.FromSeconds(30);

    public static async Task<int> RunAsync(CommandLine options)
    {
        int container = options.Count("--container", 512, 64, 1 << 20);
        Console.WriteLine($"{Machine.Describe()}; resident memory of the server in MiB; peers on this machine, which have no share of their own");
        Console.WriteLine();
        Console.WriteLine("| memory | what peers do | start | at most | 30 s after they left | |");
        Console.WriteLine("|---|---|---|---|---|---|");
        bool isMet = true;
        foreach (int? limit in (int?[])[null, container])
        {
            isMet &= await MeasureAsync(limit, $"20 connections, {Messages} messages of 4 MiB on each, none finished", server => HoldAsync(server, connections: 20));
            isMet &= await MeasureAsync(limit, "10 connections, 1 KiB of each of 15 messages of 1 MiB every 20 s", DribbleAsync);
            isMet &= await MeasureAsync(limit, "1,000 calls with replies of 1 MB that are not read, eight times", LeaveUnreadAsync);
        }

        return isMet ? 0 : 1;
    }

    private static async Task<bool> MeasureAsync(int? container, string what, Func<RunningServer, Task> attackAsync)
    {
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve-sleepers"], container is { } limit ? [RunningServer.HeapOf(limit)] : []);
        await WarmUpAsync(server);
        var memory = new ResidentMemory(server.ProcessId);
        long start = memory.Read();
        await memory.WatchAsync(attackAsync(server));
        long peak = memory.Peak;
        await memory.WatchAsync(s_quiet);
        long after = memory.Read();
        bool isMet = after - start <= Goal;
        Console.WriteLine($"| {(container is null ? "of the machine" : $"{container} MiB")} | {what} | {start} | {peak} | {after} | {(isMet ? "met" : "NOT MET")} |");
        return isMet;
    }

    /// <summary>Large messages come and go: what a server has loaded by then is not what peers make it hold.</summary>
    private static async Task WarmUpAsync(RunningServer server)
    {
        await using var channel = MuxChannel.Create(server.AddressOf());
        var sut = channel.CreateProxy<ISleeper>();
        for (int i = 0; i < 20; i++) await sut.Bytes(1_000_000);
    }

    private static Task HoldAsync(RunningServer server, int connections) => Task.Run(() =>
    {
        var peers = Enumerable.Range(0, connections).Select(_ => new HoldingPeer(server.Port, "evidence.Sleeper/Echo", reads: true)).ToList();
        Parallel.ForEach(peers, new ParallelOptions { MaxDegreeOfParallelism = 4 }, peer =>
        {
            for (int slot = 1; slot <= Messages; slot++) peer.Begin(slot, MessageLength);
            for (int slot = 1; slot <= Messages; slot++) peer.Continue(slot, MessageLength - 1);
        });
        foreach (var peer in peers) peer.Dispose();
    });

    /// <summary>A message of 1 MiB has 94 s: after 120 s with a little of each every 20 s, nothing is to be held.</summary>
    private static async Task DribbleAsync(RunningServer server)
    {
        var peers = Enumerable.Range(0, 10).Select(_ => new HoldingPeer(server.Port, "evidence.Sleeper/Echo", reads: true)).ToList();
        foreach (var peer in peers)
        {
            for (int slot = 1; slot <= Messages; slot++) peer.Begin(slot, MiB);
        }

        for (int second = 0; second <= 160; second += 20)
        {
            foreach (var peer in peers)
            {
                for (int slot = 1; slot <= Messages; slot++) peer.Continue(slot, second == 0 ? 40_000 : 1_024); // 40,000 bytes bring the whole array
            }

            await Task.Delay(TimeSpan.FromSeconds(20));
        }

        foreach (var peer in peers) peer.Dispose();
    }

    private static async Task LeaveUnreadAsync(RunningServer server)
    {
        byte[] million = [0x08, 0xC0, 0x84, 0x3D]; // field 1, 1,000,000
        for (int round = 0; round < 8; round++)
        {
            using var peer = new HoldingPeer(server.Port, "evidence.Sleeper/Bytes", reads: false);
            for (int slot = 1; slot <= 1_000; slot++) peer.Call(slot, million);
            await Task.Delay(TimeSpan.FromSeconds(3));
        }
    }
}
