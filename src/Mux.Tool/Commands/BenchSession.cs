using Mux.Tool.Load;
using Mux.Tool.Reporting;
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
        if (jsonFile is null) return Report(await MeasureAsync(configuration, isQuiet, interrupt.Token).ConfigureAwait(false));

        var json = JsonFile.Open(jsonFile);
        await using var jsonEnd = json.ConfigureAwait(false);
        var outcome = await MeasureAsync(configuration, isQuiet, interrupt.Token).ConfigureAwait(false);
        int exitCode = Report(outcome);
        await json.WriteAsync(outcome).ConfigureAwait(false);
        return exitCode;
    }

    private static async Task<BenchOutcome> MeasureAsync(BenchConfiguration configuration, bool isQuiet, CancellationToken interrupted)
    {
        var child = configuration.Target is null ? await ChildServer.StartAsync(configuration.CongestionControl, interrupted).ConfigureAwait(false) : null;
        try
        {
            var address = configuration.Target ?? child!.Address;
            return await MakeDisplay(isQuiet).ShowAsync(report => BenchRun.RunAsync(configuration, address, report, interrupted)).ConfigureAwait(false);
        }
        finally
        {
            if (child is not null) await child.DisposeAsync().ConfigureAwait(false);
        }
    }

    /// <returns>The exit code.</returns>
    private static int Report(BenchOutcome outcome)
    {
        foreach (var line in Summary.Lines(outcome)) Console.WriteLine(line);
        foreach (var line in Problems.Lines(outcome)) Console.Error.WriteLine($"mux bench: {line}");
        return outcome.ExitCode;
    }

    private static IProgressDisplay MakeDisplay(bool isQuiet)
    {
        if (isQuiet) return new NoProgress();
        bool isTerminal = !Console.IsOutputRedirected && !IsSet("CI") && !IsSet("NO_COLOR");
        return isTerminal ? new LiveProgress(AnsiConsole.Console) : new PlainProgress(Console.Out);

        static bool IsSet(string variable) => !string.IsNullOrEmpty(Environment.GetEnvironmentVariable(variable));
    }
}
