using Evidence.Programs;
using Evidence.Statistics;
using Evidence.Topics;

namespace Evidence.Groups;

/// <summary>What it costs to call a group of many members, for how long that holds its caller, and how soon the last member has the call.</summary>
internal static class GroupTable
{
    /// <summary>A call holds a turn no longer than a send to each member would.</summary>
    private const double CallGoal = 1_000, LastGoal = 10;

    private const int Rate = 100, CallsAllowed = 4_096;

    public static async Task<int> RunAsync(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100), connections = options.Count("--connections", 1_000, 1, 8_000);
        double seconds = options.Seconds("--seconds", 2);
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {rounds} rounds of {seconds} s; a group of {connections} connections, one-way calls with {GroupServer.NewsLength} bytes, each answered with 8; caller and server in one process, members{(FrameCounter.IsThere ? " in C" : "")} in another");
        Console.WriteLine();
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve-group", $"{2 * connections}"]);
        await using var channel = await MuxChannel.ConnectAsync(server.AddressOf());
        var host = channel.CreateProxy<IGroupHost>();
        var most = await MeasureAsync(server, host, connections, rounds, seconds, perSecond: 0);
        var even = await MeasureAsync(server, host, connections, rounds, seconds, Rate);
        var bare = await BareSends.MeasureAsync(connections, rounds, Rate, seconds);
        double inCall = Estimate.MedianOf(even.Select(round => round.Use.CallMicroseconds / round.Use.Calls)), p99 = Estimate.MedianOf(even.Select(round => round.Counts.P99));
        long missed = most.Concat(even).Sum(round => round.Use.Missed);
        Console.WriteLine("| | measured | goal | |");
        Console.WriteLine("|---|---|---|---|");
        Row($"deliveries/s, each answered", $"{Estimate.MedianOf(most.Select(round => round.Use.Delivered / round.Use.Seconds)):N0}", string.Empty, true);
        Row($"processor time of the server per delivery and its answer, us", $"{Estimate.MedianOf(most.Select(round => round.Use.ProcessorMicroseconds / round.Use.Delivered)):F3}", string.Empty, true);
        Row($"deliveries per send", $"{Estimate.MedianOf(most.Select(round => (double)round.Use.Delivered / round.Use.Sends)):F1}", string.Empty, true);
        Row($"bytes allocated per delivery", $"{Estimate.MedianOf(most.Select(round => (double)round.Use.Bytes / round.Use.Delivered)):F2}", string.Empty, true);
        Row($"a call holds its caller at {Rate} calls/s, us", $"{inCall:F0}", $"<= {CallGoal}", inCall <= CallGoal);
        Row($"p99 from the call to the last member at {Rate} calls/s, ms", $"{p99:F2}", $"<= {LastGoal}", p99 <= LastGoal);
        Row($"the same, median; longest", $"{Estimate.MedianOf(even.Select(round => round.Counts.Median)):F2}; {even.Max(round => round.Counts.Longest):F2}", string.Empty, true);
        Row($"processor time per delivery and answer at this rate, us: server; members", $"{Estimate.MedianOf(even.Select(round => round.Use.ProcessorMicroseconds / round.Use.Delivered)):F1}; {Estimate.MedianOf(even.Select(round => round.Members)):F1}", string.Empty, true);
        if (bare.Count > 0)
        {
            Row($"p99, median of a C program that only sends, without answers, ms", $"{Estimate.MedianOf(bare.Select(round => round.Counts.P99)):F2}; {Estimate.MedianOf(bare.Select(round => round.Counts.Median)):F2}", string.Empty, true);
            Row($"processor time of its sends, us: sender; receivers", $"{Estimate.MedianOf(bare.Select(round => round.Sender)):F1}; {Estimate.MedianOf(bare.Select(round => round.Receivers)):F1}", string.Empty, true);
        }

        Row($"missed", $"{missed}", "0", missed == 0);
        return inCall <= CallGoal && p99 <= LastGoal && missed == 0 ? 0 : 1;
    }

    private static void Row(FormattableString what, FormattableString measured, string goal, bool isMet) => Console.WriteLine(
        $"| {FormattableString.Invariant(what)} | {FormattableString.Invariant(measured)} | {goal} | {(goal.Length == 0 ? string.Empty : Verdict.Of(isMet))} |");

    private static async Task<List<(GroupUsage Use, FrameCounts Counts, double Members)>> MeasureAsync(
        RunningServer server, IGroupHost host, int connections, int rounds, double seconds, int perSecond)
    {
        var measured = new List<(GroupUsage, FrameCounts, double)>();
        using (var members = await FrameCounter.StartAsync(server.Port, connections, isStuck: false, GroupServer.NewsLength, Hello(), answers: true))
        {
            while (await host.Gather() < connections) await Task.Delay(10);
            for (int round = 0; round <= rounds; round++)
            {
                var before = await members.CountAsync();
                var use = await host.Call(seconds, perSecond);
                var after = await members.CountAsync();
                if (round > 0) measured.Add((use, after, (after.ProcessorMicroseconds - before.ProcessorMicroseconds) / use.Delivered)); // compiled by then
            }
        }

        while (await host.Gather() > 0) await Task.Delay(10);
        return measured;
    }

    private static byte[] Hello()
    {
        byte[] settings = [1, 1, 0, 0, 3, 0, 4, 0, .. BitConverter.GetBytes(CallsAllowed)]; // setting 3: calls that may be open
        return [.. "MUX1\r\n\u001a\n"u8, (byte)settings.Length, 0, 0, 1, 0, 0, 0, 0, .. settings];
    }
}
