using System.Globalization;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.InProcess.NoEmit;

namespace Mux.Benchmarks.Codec.Table;

/// <summary>
/// Prints the table: times and bytes by BenchmarkDotNet, one library after the other, and the ratio of the generated codec to the hand-written one in turns, so that a machine whose
/// speed changes in between does not decide it.
/// </summary>
internal static class TableReport
{
    private const int Rounds = 7;

    public static void Print(TextWriter output)
    {
        Console.Error.WriteLine($"BenchmarkDotNet: {CodecCases.All.Count * 2} benchmarks of a second or two each; then a minute in turns.");
        var figures = Measure();
        var ratios = MeasureRatios();
        var libraries = CodecCases.Libraries.ToList();
        output.WriteLine($"| message | | {string.Join(" | ", libraries)} | generated to hand-written, in turns |");
        output.WriteLine($"|---|---|{string.Concat(Enumerable.Repeat("---|", libraries.Count))}---|");
        foreach (var message in CodecCases.Messages)
        {
            foreach (var direction in CodecCases.Find(message, CodecCases.HandWritten).Directions.Select(static loop => loop.Name))
            {
                var cells = libraries.Select(library => Cell(figures[(message, library, direction)]));
                output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"| {message} | {direction} | {string.Join(" | ", cells)} | {ratios[(message, direction)]} |"));
            }
        }
    }

    /// <summary>The ratios alone, with the least of each, in a minute.</summary>
    public static void PrintTurns(TextWriter output)
    {
        foreach (var message in CodecCases.Messages)
        {
            output.WriteLine($"{message}:");
            foreach (var library in CodecCases.Libraries.Where(static library => library != CodecCases.HandWritten))
            {
                output.WriteLine($"A {CodecCases.HandWritten}, B {library}");
                PairedRuns.Print(CodecCases.Find(message, CodecCases.HandWritten).Directions, CodecCases.Find(message, library).Directions, output);
            }
        }
    }

    private static Dictionary<(string Message, string Library, string Direction), CodecFigures> Measure()
    {
        var job = Job.Default.WithToolchain(InProcessNoEmitToolchain.Instance).WithWarmupCount(4).WithIterationCount(15).WithIterationTime(Perfolizer.Horology.TimeInterval.FromMilliseconds(50));
        var config = ManualConfig.CreateEmpty().AddJob(job).AddLogger(NullLogger.Instance).AddColumnProvider(BenchmarkDotNet.Columns.DefaultColumnProviders.Instance);
        return BenchmarkRunner.Run<CodecTable>(config).Reports.ToDictionary(Name, Figures);
    }

    private static (string Message, string Library, string Direction) Name(BenchmarkReport report)
    {
        var one = report.BenchmarkCase;
        return ((string)one.Parameters[nameof(CodecTable.Message)], (string)one.Parameters[nameof(CodecTable.Library)], one.Descriptor.WorkloadMethod.Name == nameof(CodecTable.Encode) ? "encode" : "decode");
    }

    private static CodecFigures Figures(BenchmarkReport report) =>
        new(report.ResultStatistics!.Median, report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase) ?? 0);

    // The median of the rounds, the least and the greatest: each round takes its turn with all messages, so that their minutes are the same.
    private static Dictionary<(string Message, string Direction), string> MeasureRatios()
    {
        var cells = CodecCases.Messages.SelectMany(static message => CodecCases.Find(message, CodecCases.HandWritten).Directions.Select(loop => (Message: message, Direction: loop.Name))).ToList();
        var rounds = Enumerable.Range(0, Rounds).SelectMany(_ => cells.Select(static cell => (Cell: cell, Ratio: Ratio(cell.Message, cell.Direction)))).ToLookup(static one => one.Cell, static one => one.Ratio);
        return cells.ToDictionary(static cell => cell, cell => Interval([.. rounds[cell].Order()]));
    }

    private static string Interval(double[] ratios) =>
        string.Create(CultureInfo.InvariantCulture, $"{ratios[Rounds / 2]:F2} ({ratios[0]:F2} to {ratios[^1]:F2})");

    private static double Ratio(string message, string direction)
    {
        return PairedRuns.Ratio(Loop(CodecCases.HandWritten), Loop(CodecCases.Generated));

        CodecLoop Loop(string library) => CodecCases.Find(message, library).Directions.Single(loop => loop.Name == direction);
    }

    private static string Cell(CodecFigures figures) =>
        string.Create(CultureInfo.InvariantCulture, $"{figures.Nanoseconds.ToString(figures.Nanoseconds < 100 ? "F1" : "N0", CultureInfo.InvariantCulture)} ns, {figures.Bytes:N0} B");
}
