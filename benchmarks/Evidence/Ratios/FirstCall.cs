using System.Diagnostics;
using Evidence.Programs;
using Evidence.Statistics;
using Seeds.Contracts;

namespace Evidence.Ratios;

/// <summary>
/// From starting a client process to its first reply: the runtime's start, the compiling of what the client needs, the connection, the handshake and a call. The server is there
/// and has answered before.
/// </summary>
internal static class FirstCall
{
    /// <returns>Milliseconds, one per process.</returns>
    public static IReadOnlyList<double> Measure(int processes)
    {
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve"]);
        TimeProcess(server); // the server has compiled, and the files are in memory
        return [.. Enumerable.Range(0, processes).Select(_ => TimeProcess(server))];
    }

    /// <summary>A row of the table.</summary>
    public static Row ToRow(int processes)
    {
        var time = Estimate.Of(Measure(processes));
        return new("K1", "process start to first reply, JIT", $"{time.Median:F0} ms ({time.Low:F0} to {time.High:F0})", "<= 200 ms", time.Median <= 200);
    }

    /// <summary>What the client process does.</summary>
    public static async Task MakeAsync(string address)
    {
        await using var channel = MuxChannel.Create(address);
        var employee = await channel.CreateProxy<IDirectory>().SearchAsync(new SearchEmployee { Id = 1, RequestTime = 1 });
        Console.WriteLine(employee.LastName);
    }

    private static double TimeProcess(RunningServer server)
    {
        long start = Stopwatch.GetTimestamp();
        using var client = BuiltProgram.Self.Start(["first-call", server.AddressOf()]);
        if (client.StandardOutput.ReadLine() is null) throw new EvidenceException("The client process ended without a reply.");
        double elapsed = Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        client.WaitForExit();
        return elapsed;
    }
}
