using System.Diagnostics;
using Evidence.Statistics;
using Microsoft.CodeAnalysis;

namespace Evidence.Building;

/// <summary>
/// What the generator adds to the build of many contracts: its own run, and the compilation of what it made. In one process, as a compiler server has it: everything else that a build
/// does has been done before, so that what is left is the generator's.
/// </summary>
internal static class GeneratorTable
{
    private const double Goal = 150;

    /// <exception cref="EvidenceException">The contracts do not compile.</exception>
    public static void Run(CommandLine options)
    {
        int contracts = options.Count("--contracts", 200, 1, 10_000);
        int rounds = options.Count("--rounds", 15, 1, 1_000);
        int before = options.Count("--warm", 25, 0, 1_000);
        Console.WriteLine($"{Environment.ProcessorCount} CPUs, {System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription}, {contracts:N0} contracts, {rounds} rounds after {before} runs");
        Console.WriteLine();

        _ = new SampleBuild(contracts).Emit(); // compiler and disk are warm
        var first = Measure(() => new SampleBuild(contracts).Generate(out _), prepare: null);
        for (int i = 0; i < before; i++) new SampleBuild(contracts).Generate(out _); // the compiler's package has no native code, and most of it is compiled by then
        var runs = new List<Cost>();
        var elsewhere = new List<Cost>();
        var inOne = new List<Cost>();
        var added = new List<Cost>();
        var analyzed = new List<Cost>();
        var driver = new SampleBuild(contracts).Generate(out var whole);
        for (int round = 0; round < rounds; round++)
        {
            var build = new SampleBuild(contracts);
            runs.Add(Measure(() => build.Generate(out whole), build.Touch));
            elsewhere.Add(Measure(() => driver = driver.RunGenerators(build.EditOther(round)), prepare: null));
            inOne.Add(Measure(() => driver = driver.RunGenerators(build.EditContract(round)), prepare: null));
            var without = Measure(() => build.Emit(), prepare: null);
            var with = Measure(() => SampleBuild.Emit(whole), prepare: null);
            added.Add(with.Minus(without));
            analyzed.Add(Measure(() => SampleBuild.Analyze(whole), prepare: null));
        }

        var trees = whole.SyntaxTrees.Skip(contracts + 2).ToList();
        Console.WriteLine($"{trees.Count:N0} files generated, {trees.Sum(static tree => tree.Length) / 1024:N0} K characters");
        Console.WriteLine();
        Console.WriteLine("| what | wall, ms | CPU, ms | goal | |");
        Console.WriteLine("|---|---|---|---|---|");
        Print("the generator, first run in its process", [first], goal: null);
        Print("the generator, warm", runs, Goal);
        Print("the generator again, after an edit in another file", elsewhere, goal: null);
        Print("the generator again, after an edit in one contract", inOne, goal: null);
        Print("compiling what it made", added, goal: null);
        Print("the analyzers, alone and so with all that they ask of the compiler", analyzed, goal: null);
    }

    private static Cost Measure(Action action, Action? prepare)
    {
        prepare?.Invoke();
        GC.Collect();
        var cpu = Environment.CpuUsage.TotalTime;
        long start = Stopwatch.GetTimestamp();
        action();
        return new(Stopwatch.GetElapsedTime(start).TotalMilliseconds, (Environment.CpuUsage.TotalTime - cpu).TotalMilliseconds);
    }

    private static void Print(string what, List<Cost> costs, double? goal)
    {
        var wall = Estimate.Of([.. costs.Select(static cost => cost.Wall)]);
        var cpu = Estimate.Of([.. costs.Select(static cost => cost.Cpu)]);
        var verdict = goal is null ? string.Empty : Verdict.Of(cpu.Median <= goal);
        Console.WriteLine($"| {what} | {wall.ToString("F0")} | {cpu.ToString("F0")} | {(goal is null ? string.Empty : $"<= {goal:F0} ms")} | {verdict} |");
    }
}
