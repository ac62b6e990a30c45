using System.CommandLine;
using Mux.Tool.Comparing;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Html;

namespace Mux.Tool.Commands;

/// <summary><c>mux compare</c>: compares two results of <c>mux bench</c>.</summary>
internal static class CompareCommand
{
    private const double DefaultThreshold = 0.03;

    public static Command Create()
    {
        var before = new Argument<string>("A") { Description = "The first result: a file of 'mux bench --json', best with --repeat 5 or more" };
        var after = new Argument<string>("B") { Description = "The second result, which is compared with the first" };
        var threshold = CheckedOption.Share("--threshold", DefaultThreshold, 0, 1, "Differences up to this count as equal, such as 3%");
        var force = new Option<bool>("--force") { Description = "Compare although machines or options differ; each difference is printed" };
        var html = CheckedOption.OutputFile("--html", "Write a page with charts to this file as well");
        var command = new ToolCommand(
            "compare", "Compares two results of 'mux bench': medians, differences with 95 % intervals, verdicts. The exit code is 99 if B is worse.")
        {
            Arguments = { before, after },
            Examples =
            [
                new("mux compare before.json after.json", "Files of 'mux bench --repeat 5 --json FILE'"),
                new("mux compare --force old-machine.json new-machine.json", "Results of two machines"),
            ],
        };
        command.Add(OptionGroup.Results, threshold, force, html);
        command.SetAction((result, _) => RunAsync(
            result.GetRequiredValue(before), result.GetRequiredValue(after), result.GetValue(threshold).Value, result.GetValue(force), result.GetValue(html)));
        return command;
    }

    private static async Task<int> RunAsync(string before, string after, double threshold, bool isForced, string? htmlFile)
    {
        var (first, second) = (ResultReader.Read(before), ResultReader.Read(after));
        string[] differences = [.. Likeness.Differences(first, second)];
        if (differences.Length > 0 && !isForced)
            throw new ToolException(
                ExitCode.Invalid, $"'{before}' and '{after}' cannot be compared: {string.Join("; ", differences)}. To compare them anyway, add --force.");
        var html = OutputFile.Open("--html", htmlFile);
        await using var htmlEnd = html.ConfigureAwait(false);
        var comparison = Comparison.Of(first, second, threshold) with { Differences = differences };
        await OutputFile.WriteAndPrintAsync(Print, (html, ComparisonPage.Of(comparison))).ConfigureAwait(false);
        return comparison.IsRegression ? ExitCode.Faulty : ExitCode.Success;

        void Print()
        {
            foreach (var line in ComparisonSummary.Lines(comparison)) Console.WriteLine(PrintableText.Of(line));
        }
    }
}
