using System.Globalization;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Users;

/// <summary>
/// Speed where users live: programs with one channel for many tasks, calls on a schedule, a thousand connections that are hardly used, and a lone call. Every
/// round measures all rows, and the tool or the yardstick next to them, so that all have the same minutes.
/// </summary>
internal static class UserTable
{
    private const double ProgramGoal = 0.85;
    private const double ManyConnectionsGoal = 0.9;
    private const double LoneTailGoal = 1.5;

    private static readonly Shape s_full = new(10, 200), s_one = new(1, 64), s_many = new(1_000, 2), s_lone = new(1, 1);

    public static void Run(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100);
        var timing = new Timing(options.Seconds("--seconds", 2), options.Seconds("--warmup", 2));
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {rounds} rounds of {timing.Seconds} s after {timing.Warmup} s");
        Console.WriteLine();
        var list = new List<UserRound>();
        for (int round = 1; round <= rounds; round++)
        {
            Console.Error.WriteLine($"round {round} of {rounds}");
            list.Add(Measure(timing));
        }

        Console.WriteLine("| what | figure | compared with | goal | |");
        Console.WriteLine("|---|---|---|---|---|");
        PrintProgram("return ValueTask", list, static round => round.OfValueTasks);
        PrintProgram("return Task", list, static round => round.OfTasks);
        Console.WriteLine($"| {s_one.InFlight} tasks on one connection | {Of(list, one => one.OnOne.Rate):N0} calls/s, {Of(list, one => one.OnOne.CpuPerCall):F2} us | Y {Of(list, one => one.OnOneOfYardstick.Rate):N0}: " +
            $"{Ratio(list, one => one.OnOne.Rate / one.OnOneOfYardstick.Rate).Median:F2} | compare two builds | |");
        PrintOpenLoop(list);
        var many = Ratio(list, one => one.Many.Rate / one.ManyOfYardstick.Rate);
        Console.WriteLine($"| 1,000 connections x 2 | {Of(list, one => one.Many.Rate):N0} calls/s, {Of(list, one => one.Many.ClientCpuPerCall):F2} + {Of(list, one => one.Many.ServerCpuPerCall):F2} us | " +
            $"Y {Of(list, one => one.ManyOfYardstick.Rate):N0}: {many.ToString("F2")} | >= {ManyConnectionsGoal} Y | {Verdict.Of(many.Median >= ManyConnectionsGoal)} |");
        var tail = Ratio(list, one => one.Lone.P99 / one.LoneOfYardstick.P99);
        Console.WriteLine($"| lone call, p99 | {Of(list, one => one.Lone.P99):F1} us, p50 {Of(list, one => one.Lone.P50):F1} | " +
            $"Y {Of(list, one => one.LoneOfYardstick.P99):F1} us, p50 {Of(list, one => one.LoneOfYardstick.P50):F1}: {tail.ToString("F2")} | <= {LoneTailGoal} Y | {Verdict.Of(tail.Median <= LoneTailGoal)} |");
    }

    private static UserRound Measure(Timing timing)
    {
        var tool = MuxTool.Bench([.. s_full.Arguments, "--time-every", "8", .. timing.Arguments]);
        var open = MuxTool.Bench(["--rate", (tool.Rate / 2).ToString("F0", CultureInfo.InvariantCulture), .. timing.Arguments]);
        return new(
            tool,
            RunProgram(s_full, ReturnKind.ValueTask, timing),
            RunProgram(s_full, ReturnKind.Task, timing),
            RunProgram(s_one, ReturnKind.ValueTask, timing),
            Yardstick.Run(s_one, timing, isRecording: false),
            open,
            MuxTool.Bench([.. s_many.Arguments, "--time-every", "8", .. timing.Arguments]),
            Yardstick.Run(s_many, timing, isRecording: false),
            MuxTool.Bench([.. s_lone.Arguments, .. timing.Arguments]),
            Yardstick.Run(s_lone, timing, isRecording: true));
    }

    private static UserFigures RunProgram(Shape shape, ReturnKind returns, Timing timing)
    {
        using var server = RunningServer.Start(BuiltProgram.Self, ["serve"]);
        string[] arguments = ["call-as-user", server.AddressOf(), Text(shape.Connections), Text(shape.InFlight), returns.ToString(), Text(timing.Warmup), Text(timing.Seconds)];
        return UserFigures.Parse(BuiltProgram.Self.Run(arguments, static code => code == 0));
    }

    private static void PrintProgram(string returns, List<UserRound> list, Func<UserRound, UserFigures> program)
    {
        var ratio = Ratio(list, one => program(one).Rate / one.Tool.Rate);
        Console.WriteLine($"| a user's program, one channel, 10x200, methods that {returns} | {Of(list, one => program(one).Rate):N0} calls/s, {Of(list, one => program(one).CpuPerCall):F2} us, " +
            $"{Of(list, one => program(one).BytesPerCall):F0} B, {Of(list, one => program(one).CallsPerSend):F0} calls per send | `mux bench` {Of(list, one => one.Tool.Rate):N0}: {ratio.ToString("F2")} | " +
            $">= {ProgramGoal} of the tool | {Verdict.Of(ratio.Median >= ProgramGoal)} |");
    }

    private static void PrintOpenLoop(List<UserRound> list)
    {
        int invalid = list.Count(one => one.Open.InvalidRuns.Count > 0);
        string reasons = invalid == 0 ? "valid" : $"{invalid} of {list.Count} rounds INVALID ({string.Join("; ", list.SelectMany(one => one.Open.InvalidRuns).Distinct())})";
        double p99 = Of(list, one => one.Open.P99) / 1_000;
        bool isMet = 2 * invalid < list.Count && p99 <= 3;
        Console.WriteLine($"| open loop at half of 10x200, {Of(list, one => one.Open.Rate):N0} calls/s | {reasons}: p99 {p99:F2} ms; {Of(list, one => one.Open.ClientCpuPerCall):F2} us of the client | " +
            $"closed loop {Of(list, one => one.Tool.ClientCpuPerCall):F2} us | valid, p99 <= 3 ms | {Verdict.Of(isMet)} |");
    }

    private static double Of(List<UserRound> list, Func<UserRound, double> figure) => Estimate.MedianOf(list.Select(figure));

    private static Estimate Ratio(List<UserRound> list, Func<UserRound, double> ratio) => Estimate.Of([.. list.Select(ratio)]);

    private static string Text(double number) => number.ToString(CultureInfo.InvariantCulture);
}
