using Mux.ProtocolCases.Running;
using Mux.Tool.Checking;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Html;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Commands;

/// <summary>Writes the result of <c>mux spec</c> to the standard output and to the requested files.</summary>
internal sealed class SpecOutput : IAsyncDisposable
{
    private readonly OutputFile _junit;
    private readonly OutputFile _json;
    private readonly OutputFile _html;

    private SpecOutput(OutputFile junit, OutputFile json, OutputFile html) => (_junit, _json, _html) = (junit, json, html);

    /// <exception cref="ToolException">A file cannot be written.</exception>
    public static SpecOutput Open(SpecFiles files) =>
        new(OutputFile.Open("--junit", files.JUnit), OutputFile.Open("--json", files.Json), OutputFile.Open("--html", files.Html));

    /// <returns>The exit code.</returns>
    /// <exception cref="ToolException">A file cannot be written.</exception>
    public async Task<int> WriteAsync(SpecReport report)
    {
        await OutputFile.WriteAndPrintAsync(
            () => Print(report),
            (_junit, JUnitReport.Write(report)),
            (_json, ResultJson.Write(SpecFile.Of(report))),
            (_html, SpecPage.Of(report))).ConfigureAwait(false);
        if (report.Count(SpecVerdict.Failed) > 0) return ExitCode.Faulty;
        return report.Interruption is null ? ExitCode.Success : ExitCode.Interrupted;
    }

    private static void Print(SpecReport report)
    {
        foreach (var line in SpecTable.Lines(report)) Console.WriteLine(PrintableText.Of(line));
        if (report.Interruption is { } interruption) Console.Error.WriteLine($"mux spec: {PrintableText.Of(interruption)}");
    }

    public async ValueTask DisposeAsync()
    {
        await _junit.DisposeAsync().ConfigureAwait(false);
        await _json.DisposeAsync().ConfigureAwait(false);
        await _html.DisposeAsync().ConfigureAwait(false);
    }
}
