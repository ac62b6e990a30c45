using System.Diagnostics;
using System.Globalization;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Floods;

/// <summary>
/// Connections of one address that take all handlers of a server, and have as many requests wait for them, or all calls
/// of a gateway's route, and keep them: what a newcomer's call, a health check and a ping take next to them, each on a
/// connection of its own, which is opened before.
/// </summary>
internal static class PlaceTable
{
    /// <summary>The name of the row for <c>--only</c>.</summary>
    public const string Kind = "places";

    private const int Newcomers = 50;
    private const double MostMilliseconds = 50;

    public static async Task<bool> RunAsync()
    {
        Console.WriteLine();
        Console.WriteLine($"| {Newcomers} newcomers next to | handlers that are kept | bytes sent for them | call: served, median and longest | health | ping | goal: all within {MostMilliseconds} ms |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve-door"]);
        bool isMet = await MeasureAsync("34 connections of an address at a server", server, 34);
        using var behind = RunningServer.Start(BuiltProgram.Self, ["serve-door"]);
        using var gateway = RunningServer.Start(
            BuiltProgram.Tool, ["gateway", "--route", $"evidence.Door={behind.AddressOf()}", "--listen", "mux://127.0.0.1:0", "--quiet", "--until-stdin-ends"]);
        return await MeasureAsync("29 connections of an address at the route of a gateway", gateway, 29) && isMet;
    }

    private static async Task<bool> MeasureAsync(string what, RunningServer server, int connections)
    {
        await using var witness = MuxChannel.Create(server.AddressOf());
        var door = witness.CreateProxy<IDoor>();
        await door.Pass();
        using var hostile = BuiltProgram.Self.Start(["flood-places", connections.ToString(CultureInfo.InvariantCulture), server.AddressOf()]);
        var sent = hostile.StandardOutput.ReadLine() ?? throw new EvidenceException("The hostile process ended without a word.");
        int held = 0;
        for (int before = -1; held == 0 || held != before;)
        {
            before = held;
            await Task.Delay(500);
            held = await door.Pass();
        }

        var (calls, healths, pings) = (new List<double>(), new List<double>(), new List<double>());
        for (int i = -1; i < Newcomers; i++)
        {
            if (i == 0) new[] { calls, healths, pings }.ToList().ForEach(static times => times.Clear()); // of the first, what is made once is measured
            await TryAsync(server, calls, static channel => channel.CreateProxy<IDoor>().Pass().AsTask());
            await TryAsync(server, healths, static channel => channel.CreateRawCaller("grpc.health.v1.Health", "Check").CallAsync(ReadOnlyMemory<byte>.Empty).AsTask());
            await TryAsync(server, pings, PingAsync);
        }

        hostile.StandardInput.Close();
        hostile.WaitForExit();
        bool isMet = IsMet(calls) && IsMet(healths) && IsMet(pings);
        Console.WriteLine($"| {what} | {held:N0} | {sent} | {Describe(calls)} | {Describe(healths)} | {Describe(pings)} | {(isMet ? "met" : "NOT MET")} |");
        return isMet;
    }

    /// <summary>Makes the first call of a new connection.</summary>
    /// <param name="server">The server.</param>
    /// <param name="times">Gets the milliseconds, if the call is served.</param>
    /// <param name="call">The call.</param>
    private static async Task TryAsync(RunningServer server, List<double> times, Func<MuxChannel, Task> call)
    {
        await using var channel = MuxChannel.Create(server.AddressOf());
        await channel.ConnectAsync();
        long start = Stopwatch.GetTimestamp();
        try
        {
            await call(channel);
            times.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
        }
        catch (MuxException)
        {
            // It is missing in the count.
        }
    }

    /// <summary>As <c>mux ping</c> does: a method that no server has.</summary>
    private static async Task PingAsync(MuxChannel channel)
    {
        try
        {
            await channel.CreateRawCaller("mux.ping", "Ping").CallAsync(ReadOnlyMemory<byte>.Empty);
        }
        catch (MuxException error) when (error.Status == MuxStatus.Unimplemented)
        {
            // It answers.
        }
    }

    private static bool IsMet(List<double> times) => times.Count == Newcomers && times.Max() <= MostMilliseconds;

    private static string Describe(List<double> times) =>
        times.Count == 0 ? "0" : $"{times.Count}, {Estimate.MedianOf(times):F2} ms, {times.Max():F1} ms";
}
