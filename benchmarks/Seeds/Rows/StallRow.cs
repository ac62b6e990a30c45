using Seeds.Contracts;
using Seeds.Load;
using Seeds.Serving;
using Seeds.Transports;

namespace Seeds.Rows;

/// <summary>Under full load, one connection whose reader stalls for 10 s with more replies owed to it than anybody would keep for it.</summary>
internal static class StallRow
{
    private const int OwedReplies = 2_000;
    private const int ReplySize = 16_384;
    private static readonly TimeSpan s_firstStall = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_stall = TimeSpan.FromSeconds(10);

    public static async Task RunAsync(Plan plan)
    {
        using var server = ServerProcess.Start();
        using var gate = new ManualResetEventSlim(true);
        await using var load = await FullLoad.StartAsync(server.Address, SeedTransport.Create());
        var (state, loop) = (load.State, load.Loop);
        await loop.MeasureAsync(plan.Warmup);
        await StallAsync(server.Address, state, gate, s_firstStall, loop); // what is made once
        long start = (await state.ReadAsync()).Managed;

        Console.WriteLine($"{FullLoad.Connections} connections x {FullLoad.InFlight} in flight, and one with {OwedReplies} calls for {ReplySize:N0} B each ({OwedReplies * (long)ReplySize / 1024:N0} KiB) that stops reading for {s_stall.TotalSeconds} s,");
        Console.WriteLine($"again and again, after once for {s_firstStall.TotalSeconds} s that warms up; managed memory of the server with full pools, {start / 1024:N0} KiB at the start, after a full collection");
        Console.WriteLine();
        Console.WriteLine("| stall | others before, calls/s | during | during / before | memory during, with garbage, KiB | unsent at most, KiB | memory afterwards, KiB | of the start |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|");
        var kept = new List<double>();
        for (int round = 1; round <= plan.Rounds; round++)
        {
            double before = await loop.MeasureAsync(plan.Duration);
            var (during, most) = await StallAsync(server.Address, state, gate, s_stall, loop);
            long after = (await state.ReadAsync()).Managed;
            kept.Add(during / before);
            Console.WriteLine($"| {round} | {before:N0} | {during:N0} | {kept[^1]:F2} | {most.Managed / 1024:N0} | {most.Unsent / 1024:N0} | {after / 1024:N0} | {(double)after / start:F3} |");
        }

        Console.WriteLine();
        Console.WriteLine($"median: the others keep {Sample.Median(kept):P0} of their rate");
    }

    /// <summary>A connection comes, stalls with replies owed to it, reads on to the last one, and goes.</summary>
    private static async Task<(double Rate, ServerState Most)> StallAsync(string address, IServerState state, ManualResetEventSlim gate, TimeSpan length, CallLoop<Employee> others)
    {
        await using var stalling = await Clients.ConnectAsync(address, 1, new DecoratingTransport(SeedTransport.Create(), link => new StallableLink(link, gate)));
        gate.Reset();
        var owed = FillAsync(stalling.Proxies<IServerState>()[0]);
        var rate = others.MeasureAsync(length);
        var most = await WatchAsync(state, rate);
        gate.Set();
        await owed;
        return (await rate, most);
    }

    private static Task<byte[][]> FillAsync(IServerState filling) => Task.WhenAll(Enumerable.Range(0, OwedReplies).Select(_ => filling.FillAsync(ReplySize).AsTask()));

    /// <summary>The most that is seen while something goes on, garbage included.</summary>
    private static async Task<ServerState> WatchAsync(IServerState state, Task goingOn)
    {
        var most = new ServerState();
        while (!goingOn.IsCompleted)
        {
            var now = await state.GlanceAsync();
            most.Managed = Math.Max(most.Managed, now.Managed);
            most.Unsent = Math.Max(most.Unsent, now.Unsent);
            await Task.WhenAny(goingOn, Task.Delay(50));
        }

        return most;
    }
}
