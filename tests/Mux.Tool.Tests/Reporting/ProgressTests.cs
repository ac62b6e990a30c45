using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Workloads;
using Spectre.Console;

namespace Mux.Tool.Tests.Reporting;

public sealed class ProgressTests
{
    private static readonly ProgressSample s_sample = new(
        IsWarmup: false,
        Elapsed: TimeSpan.FromHours(23.9),
        Planned: TimeSpan.FromHours(24),
        Length: TimeSpan.FromSeconds(1),
        Calls: 12_345_678,
        P50: 60_000_000_000,
        P99: 100_000_000_000,
        Total: 999_999_999_999,
        Errors: 1_000_000);

    private readonly StringWriter _output = new();

    [Fact]
    public async Task Without_a_terminal_there_is_a_line_per_sample()
    {
        await new PlainProgress(_output, CountedUnit.Call).ShowAsync(ReportTwice);

        var lines = Lines();
        Assert.Equal(2, lines.Length);
        Assert.StartsWith("warm-up", lines[0], StringComparison.Ordinal);
        Assert.StartsWith("measure", lines[1], StringComparison.Ordinal);
        Assert.All(lines, line => Assert.Contains("12,345,678 calls/s", line, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Items_of_streams_are_told_where_there_are_any()
    {
        await new PlainProgress(_output, CountedUnit.Call).ShowAsync(report =>
        {
            report(s_sample with { Items = 4_321 });
            return Task.FromResult(Outcomes.Make(1_000));
        });

        Assert.EndsWith("  4,321 items/s", Assert.Single(Lines()), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_table_of_a_terminal_fits_80_columns()
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
            Interactive = InteractionSupport.Yes,
            Out = new AnsiConsoleOutput(_output),
        });
        console.Profile.Width = 80;

        await new LiveProgress(console, CountedUnit.Call).ShowAsync(ReportTwice);

        var lines = Lines();
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 80));
        Assert.Contains(lines, line => line.Contains("calls/s", StringComparison.Ordinal) && line.Contains("errors", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.Contains("12,345,678", StringComparison.Ordinal) && line.Contains("1,000,000", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.Contains("measuring, 86040 s of 86400 s", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_terminal_shows_how_far_a_number_of_calls_is()
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings { Ansi = AnsiSupport.No, Interactive = InteractionSupport.Yes, Out = new AnsiConsoleOutput(_output) });
        console.Profile.Width = 80;

        await new LiveProgress(console, CountedUnit.Call).ShowAsync(report =>
        {
            report(s_sample with { Total = 50, PlannedCalls = 100 });
            return Task.FromResult(Outcomes.Make(1_000));
        });

        Assert.Contains(Lines(), line => line.Contains("measuring, of 100 calls", StringComparison.Ordinal));
    }

    private static Task<BenchOutcome> ReportTwice(Action<ProgressSample> report)
    {
        report(s_sample with { IsWarmup = true });
        report(s_sample);
        return Task.FromResult(Outcomes.Make(1_000));
    }

    /// <summary>Without control sequences a table begins where the one before it ends.</summary>
    private string[] Lines() => _output.ToString().Replace("╭", "\n╭", StringComparison.Ordinal).ReplaceLineEndings("\n").Split('\n', StringSplitOptions.RemoveEmptyEntries);
}
