using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using SideBySide.Load;
using SideBySide.Processes;
using SideBySide.Reporting;
using SideBySide.Stacks;

namespace SideBySide;

/// <summary>
/// Measures all stacks in turns. In a round each shape is run by each stack, one right after the other, so that what else the machine does meets all of them;
/// which stack begins changes from shape to shape and from round to round.
/// </summary>
internal static class PeerRounds
{
    // Of a run, in addition to its warm-up and its duration: two processes start, connections are made, the last calls end.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);

    /// <returns>True if every call had its right reply.</returns>
    public static bool Run(RunOptions options)
    {
        IReadOnlyList<Stack> stacks = [.. options.Stacks.Select(Stack.Named)];
        IReadOnlyList<Shape> shapes = [.. options.Shapes.Select(Shape.Named)];
        var table = new PeerTable(stacks, shapes);
        var began = Stopwatch.StartNew();
        for (int round = 0; round < options.Rounds; round++)
        {
            for (int i = 0; i < shapes.Count; i++)
            {
                Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{began.Elapsed:mm\\:ss} round {round + 1} of {options.Rounds}: {shapes[i].Title}"));
                foreach (var stack in Turns.Of(stacks, round, i)) Measure(table, stack, shapes[i], options.Timing);
            }
        }

        var settings = RunSettings.Of(options, table);
        foreach (var difference in settings.Differences) table.AddProblem(difference);
        bool isGood = table.Problems.Count == 0;
        ReportFiles.Write(table, settings, isForShow: isGood && options.IsForShow);
        return isGood;
    }

    /// <inheritdoc cref="Run"/>
    public static bool Check(IReadOnlyList<Stack> stacks)
    {
        bool isGood = true;
        foreach (var stack in stacks)
        {
            using var client = StackProcess.StartClient(stack, "check-replies", stack.Name);
            var outcome = JsonSerializer.Deserialize<RunOutcome>(client.ReadLine(s_patience))!;
            Console.WriteLine($"{stack.Title}: {outcome.Problem ?? "every reply is right"}");
            isGood &= outcome.Problem is null;
        }

        return isGood;
    }

    private static void Measure(PeerTable table, Stack stack, Shape shape, RunTiming timing)
    {
        RunOutcome outcome;
        try
        {
            using var client = StackProcess.StartClient(stack, "call", stack.Name, shape.Name, Text(timing.Warmup), Text(timing.Duration));
            outcome = JsonSerializer.Deserialize<RunOutcome>(client.ReadLine(TimeSpan.FromSeconds(timing.Warmup + timing.Duration) + s_patience))!;
        }
        catch (PeersException error)
        {
            outcome = new RunOutcome(null, error.Message);
        }

        if (outcome.Figures is { } figures)
        {
            table.Add(stack, shape, figures);
            Console.Error.WriteLine(string.Create(CultureInfo.InvariantCulture, $"      {stack.Title,-24}{figures.Rate,14:N0}/s {figures.ClientCpu,9:N2} + {figures.ServerCpu:N2} us"));
        }
        else
        {
            table.AddProblem($"{stack.Title}, {shape.Title}: {outcome.Problem}");
            Console.Error.WriteLine($"      {stack.Title,-24}FAILED: {outcome.Problem}");
        }
    }

    private static string Text(double seconds) => seconds.ToString(CultureInfo.InvariantCulture);
}
