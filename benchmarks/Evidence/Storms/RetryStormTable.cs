using Evidence.Fleets;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Storms;

/// <summary>What retries add to the load of servers that fail: a tenth of the calls and ten, whatever fails, and no product over services that call each other.</summary>
internal static class RetryStormTable
{
    private const int Servers = 3, Callers = 50;
    private const int LoneCalls = 4; // their retries are within the ten that every budget has
    private const double Share = 0.1, Floor = 10;

    // With what goes before, less than the 10 s of the budget's window.
    private static readonly TimeSpan s_healthy = TimeSpan.FromSeconds(2), s_failing = TimeSpan.FromSeconds(6);

    public static async Task<int> RunAsync(CommandLine options)
    {
        int kills = options.Count("--kills", 6, 1, 100);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {Servers} servers, one channel, {Callers} callers, Attempts = {FleetProgram.Attempts}, all calls idempotent");
        Console.WriteLine();
        Console.WriteLine("| what | calls | calls failed | executed | sent again (Retry, Refused), sent for the first time later (Unsent) | goal: 1.1 x calls + 10 | |");
        Console.WriteLine("|---|---|---|---|---|---|---|");
        bool isMet = await MeasureFailuresAsync();
        isMet &= await MeasureKillsAsync(kills);
        Console.WriteLine();
        isMet &= await MeasureNestedAsync();
        isMet &= await MeasureNestedLoadAsync();
        return isMet ? 0 : 1;
    }

    private static async Task<bool> MeasureFailuresAsync()
    {
        await using var storm = new Storm(Servers);
        using var again = new FurtherAttempts();
        var callers = new StormCallers(storm.Fleet.Enter, Callers);
        await callers.RunAsync(fails: false, s_healthy);
        await callers.RunAsync(fails: true, s_failing);
        return Write("all servers answer Unavailable, after 2 s without failures", storm, callers, again);
    }

    private static async Task<bool> MeasureKillsAsync(int kills)
    {
        await using var storm = new Storm(Servers);
        using var again = new FurtherAttempts();
        var callers = new StormCallers(storm.Fleet.Enter, Callers);
        await callers.RunAsync(fails: false, TimeSpan.FromMilliseconds(500));
        var running = callers.RunAsync(fails: false, s_failing);
        for (int kill = 0; kill < kills; kill++)
        {
            await Task.Delay(s_failing / (kills + 1));
            foreach (var server in storm.Servers)
            {
                await server.KillAsync();
                server.Start();
            }
        }

        await running;
        return Write($"each server killed {kills} times within {s_failing.TotalSeconds} s", storm, callers, again);
    }

    private static bool Write(string what, Storm storm, StormCallers callers, FurtherAttempts again)
    {
        var reasons = again.Read();
        long executed = storm.Executed(callers.Calls), charged = reasons.GetValueOrDefault("Retry") + reasons.GetValueOrDefault("Refused");
        double most = Most(callers.Calls);
        bool isMet = Math.Max(executed, callers.Calls + charged) <= most;
        Console.WriteLine($"| {what} | {callers.Calls:N0} | {callers.Failed:N0} | {executed:N0} | {charged:N0}, {reasons.GetValueOrDefault("Unsent"):N0} | {most:N0} | {Verdict.Of(isMet)} |");
        return isMet;
    }

    /// <summary>A front repeats its calls to the servers behind, and its client repeats the calls to the front; nothing is short of budget.</summary>
    private static async Task<bool> MeasureNestedAsync()
    {
        const int Most = 5; // the first attempt of three makes three calls, and each of the others, which are retries, makes one
        await using var back = new Storm(Servers);
        await using var front = new Storm(1, "--behind", FleetServer.AddressOf(back.Servers));
        var callers = new StormCallers(front.Fleet.Relay, LoneCalls);
        for (int call = 0; call < LoneCalls; call++) await callers.CallAsync(fails: true);
        double each = (double)back.Executed(LoneCalls) / LoneCalls;
        bool isMet = each <= Most;
        Console.WriteLine($"a front and servers behind it, both called with {FleetProgram.Attempts} attempts, all fails, one call after the other: "
            + $"{each:F1} executions behind per call of a client, goal {Most} (without a rule: 9): {Verdict.Of(isMet)}");
        return isMet;
    }

    private static async Task<bool> MeasureNestedLoadAsync()
    {
        await using var back = new Storm(Servers);
        await using var front = new Storm(1, "--behind", FleetServer.AddressOf(back.Servers));
        var callers = new StormCallers(front.Fleet.Relay, Callers);
        await callers.RunAsync(fails: true, s_failing);
        long atFront = front.Executed(callers.Calls), behind = back.Executed(callers.Calls);
        bool isMet = atFront <= Most(callers.Calls) && behind <= Most(atFront);
        Console.WriteLine($"the same under the load of {Callers} callers for {s_failing.TotalSeconds} s: {callers.Calls:N0} calls, {atFront:N0} executions at the front, "
            + $"{behind:N0} behind, {(double)behind / callers.Calls:F2} per call; goal 1.1 x + 10 at each: {Verdict.Of(isMet)}");
        return isMet;
    }

    private static double Most(long calls) => calls + Share * calls + Floor;
}
