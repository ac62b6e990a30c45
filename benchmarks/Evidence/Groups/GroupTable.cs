using System.Globalization;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Groups;

/// <summary>What it costs to call a group of many members, for how long that holds its caller, and how soon the last member has the call.</summary>
internal static class GroupTable
{
    /// <summary>A call holds a turn no longer than a send to each member would.</summary>
    private const double CallGoal = 1_000, LastGoal = 10;

    private const int Rate = 100;

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100), connections = options.Count("--connections", 1_000, 1, 8_000);
        double seconds = options.Seconds("--seconds", 2);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {rounds} rounds of {seconds} s; a group of {connections} connections, one-way calls with {GroupServer.NewsLength} bytes, each answered with 8; caller and server in one process, members in another");
        Console.WriteLine();
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve-group", $"{2 * connections}"]);
        await using var channel = await MuxChannel.ConnectAsync(server.AddressOf());
        var host = channel.CreateProxy<IGroupHost>();
        var most = await MeasureAsync(server, host, connections, rounds, seconds, perSecond: 0);
        var even = await MeasureAsync(server, host, connections, rounds, seconds, Rate);
        double inCall = Estimate.MedianOf(even.Uses.Select(use => use.CallMicroseconds / use.Calls));
        long missed = most.Uses.Concat(even.Uses).Sum(use => use.Missed);
        Console.WriteLine("| | measured | goal | |");
        Console.WriteLine("|---|---|---|---|");
        Row($"deliveries/s, each answered", $"{Estimate.MedianOf(most.Uses.Select(use => use.Delivered / use.Seconds)):N0}", string.Empty, true);
        Row($"processor time of the server per delivery and its answer, us", $"{Estimate.MedianOf(most.Uses.Select(use => use.ProcessorMicroseconds / use.Delivered)):F3}", string.Empty, true);
        Row($"deliveries per send", $"{Estimate.MedianOf(most.Uses.Select(use => (double)use.Delivered / use.Sends)):F1}", string.Empty, true);
        Row($"bytes allocated per delivery", $"{Estimate.MedianOf(most.Uses.Select(use => (double)use.Bytes / use.Delivered)):F2}", string.Empty, true);
        Row($"processor time per delivery at {Rate} calls/s, us", $"{Estimate.MedianOf(even.Uses.Select(use => use.ProcessorMicroseconds / use.Delivered)):F3}", string.Empty, true);
        Row($"a call holds its caller at {Rate} calls/s, us", $"{inCall:F0}", $"<= {CallGoal}", inCall <= CallGoal);
        Row($"p99 from the call to the last member at {Rate} calls/s, ms", $"{even.Last:F2}", $"<= {LastGoal}", even.Last <= LastGoal);
        Row($"missed", $"{missed}", "0", missed == 0);
        return inCall <= CallGoal && even.Last <= LastGoal && missed == 0 ? 0 : 1;
    }

    private static void Row(FormattableString what, FormattableString measured, string goal, bool isMet) => Console.WriteLine(
        $"| {FormattableString.Invariant(what)} | {FormattableString.Invariant(measured)} | {goal} | {(goal.Length == 0 ? string.Empty : Verdict.Of(isMet))} |");

    private static async Task<(List<GroupUsage> Uses, double Last)> MeasureAsync(RunningServer server, IGroupHost host, int connections, int rounds, double seconds, int perSecond)
    {
        using var members = BuiltProgram.Self.Start(["join-group", $"{server.Port}", $"{connections}", $"{perSecond > 0}"]);
        _ = await members.StandardOutput.ReadLineAsync();
        while (await host.Gather() < connections) await Task.Delay(10);
        var (uses, last) = (new List<GroupUsage>(), new List<double>());
        for (int round = 0; round <= rounds; round++)
        {
            var use = await host.Call(seconds, perSecond);
            await members.StandardInput.WriteLineAsync();
            string[] figures = (await members.StandardOutput.ReadLineAsync())!.Split(' ');
            if (round == 0) continue; // compiled by then
            uses.Add(use);
            last.Add(double.Parse(figures[0], CultureInfo.InvariantCulture));
        }

        members.StandardInput.Close();
        await members.WaitForExitAsync();
        while (await host.Gather() > 0) await Task.Delay(10);
        return (uses, Estimate.MedianOf(last));
    }
}
