using System.Text.Json;
using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Results;
using Mux.Tool.Serving;
using Spectre.Console;

namespace Mux.Tool.Commands;

/// <summary>One <c>mux bench</c> from its options to its exit code.</summary>
internal static class BenchSession
{
    public static async Task<int> RunAsync(BenchConfiguration configuration, string? jsonFile, bool isQuiet)
    {
        using var interrupt = new CancellationTokenSource();
        using var signals = new InterruptSignals(interrupt);
        var json = jsonFile is null ? null : OpenFile(jsonFile);
        await using var jsonEnd = (json ?? Stream.Null).ConfigureAwait(false);

        var child = configuration.Target is null ? await ChildServer.StartAsync(configuration.CongestionControl, interrupt.Token).ConfigureAwait(false) : null;
        BenchOutcome outcome;
        try
        {
            var address = configuration.Target ?? child!.Address;
            outcome = await MakeDisplay(isQuiet).ShowAsync(report => BenchRun.RunAsync(configuration, address, report, interrupt.Token)).ConfigureAwait(false);
        }
        finally
        {
            if (child is not null) await child.DisposeAsync().ConfigureAwait(false);
        }

        if (json is not null) await JsonSerializer.SerializeAsync(json, ResultFile.Of(outcome), ResultJson.Readable.ResultFile).ConfigureAwait(false);
        foreach (var line in Summary.Lines(outcome)) Console.WriteLine(line);
        foreach (var line in Problems.Lines(outcome)) Console.Error.WriteLine($"mux bench: {line}");
        return outcome.ExitCode;
    }

    /// <summary>Before the run: a result that cannot be kept is not worth waiting for.</summary>
    private static FileStream OpenFile(string path)
    {
        try
        {
            return File.Create(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ToolException(ExitCode.Usage, $"--json '{path}': {error.Message}", error);
        }
    }

    private static IProgressDisplay MakeDisplay(bool isQuiet)
    {
        if (isQuiet) return new NoProgress();
        bool isTerminal = !Console.IsOutputRedirected && !IsSet("CI") && !IsSet("NO_COLOR");
        return isTerminal ? new LiveProgress(AnsiConsole.Console) : new PlainProgress(Console.Out);

        static bool IsSet(string variable) => !string.IsNullOrEmpty(Environment.GetEnvironmentVariable(variable));
    }
}
