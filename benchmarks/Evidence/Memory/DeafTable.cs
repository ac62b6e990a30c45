using Evidence.Blocking;
using Evidence.Programs;
using Evidence.Statistics;
using Evidence.Storms;

namespace Evidence.Memory;

/// <summary>
/// How many calls of a client fail while other peers ask a small server for large replies and read none: each request is within what a lone client may send.
/// </summary>
internal static class DeafTable
{
    private const int Calls = 124;

    /// <summary>
    /// Bytes of addresses. Without this .NET 10 reserves a few times the limit of the heap, and may end with SIGSEGV
    /// when regions fill that.
    /// </summary>
    private const long AddressRange = 1L << 32;

    private const int RequestsOfEach = 40;

    private static readonly TimeSpan s_settling = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(10);

    public static async Task<int> RunAsync(CommandLine options)
    {
        int container = options.Count("--container", 64, 64, 1 << 20);
        Console.WriteLine($"{Machine.Describe()}; the heap of the server is limited to {container} MiB; {Calls} requests of one client, each within {s_timeout.TotalSeconds} s");
        Console.WriteLine();
        Console.WriteLine("| peers that do not read | bytes of each reply | bytes of a request | at once | failed | goal | | sent again after a refusal |");
        Console.WriteLine("|---|---|---|---|---|---|---|---|");
        bool isMet = true;
        foreach (int peers in (int[])[30, 60])
        {
            foreach (int reply in (int[])[100_000, 1_000_000])
            {
                foreach (int request in (int[])[60_000, 100_000])
                {
                    foreach (int atOnce in (int[])[1, Calls]) isMet &= await MeasureAsync(container, (peers, reply), request, atOnce);
                }
            }
        }

        return isMet ? 0 : 1;
    }

    private static async Task<bool> MeasureAsync(int container, (int Count, int Reply) peers, int request, int atOnce)
    {
        using var server = RunningServer.Start(
            BuiltProgram.Self, ["serve-sleepers"], RunningServer.HeapOf(container), ("DOTNET_GCRegionRange", $"0x{AddressRange:X}"));
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = server.AddressOf(), MaxConnections = 1 });
        var sut = channel.CreateProxy<ISleeper>();
        await sut.Echo(0);
        var deaf = Enumerable.Range(0, peers.Count).Select(_ => new HoldingPeer(server.Port, "evidence.Sleeper/Bytes", reads: false)).ToList();
        foreach (var peer in deaf)
        {
            for (int slot = 1; slot <= RequestsOfEach; slot++) peer.Call(slot, BodyOf(peers.Reply));
        }

        await Task.Delay(s_settling);
        using var attempts = new FurtherAttempts();
        int failed = 0;
        for (int made = 0; made < Calls && server.ExitCode is null; made += atOnce)
        {
            failed += await CallAsync(sut, new byte[request], Math.Min(atOnce, Calls - made), tells: failed == 0);
        }

        long again = attempts.Read().Values.Sum();
        bool isMet = failed == 0 && server.ExitCode is null;
        var end = server.ExitCode is { } code ? $", the server process ended with {code}" : "";
        Console.WriteLine($"| {peers.Count} | {peers.Reply} | {request} | {atOnce} | {failed}{end} | 0 | {Verdict.Of(isMet)} | {again} |");
        foreach (var peer in deaf) peer.Dispose();
        return isMet;
    }

    private static async Task<int> CallAsync(ISleeper sut, byte[] body, int count, bool tells)
    {
        var calls = Enumerable.Range(0, count).Select(_ => sut.LengthOf(body, new() { Timeout = s_timeout }).AsTask()).ToArray();
        int failed = 0;
        foreach (var call in calls)
        {
            try
            {
                await call;
            }
            catch (MuxException error)
            {
                if (failed++ == 0 && tells) await Console.Error.WriteLineAsync(error.Message);
            }
        }

        return failed;
    }

    /// <summary>A request of one number, field 1.</summary>
    private static byte[] BodyOf(int number)
    {
        var body = new List<byte> { 0x08 };
        uint left = (uint)number;
        for (; left >= 0x80; left >>= 7) body.Add((byte)(left | 0x80));
        body.Add((byte)left);
        return [.. body];
    }
}
