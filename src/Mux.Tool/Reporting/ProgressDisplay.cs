using Mux.Tool.Load;
using Mux.Tool.Workloads;
using Spectre.Console;

namespace Mux.Tool.Reporting;

/// <summary>Selects the progress display.</summary>
internal static class ProgressDisplay
{
    /// <summary>True if the output can be overwritten.</summary>
    public static bool IsTerminal => !Console.IsOutputRedirected && !IsSet("CI") && !IsSet("NO_COLOR");

    public static IProgressDisplay Choose(bool isQuiet, CountedUnit unit)
    {
        if (isQuiet) return new NoProgress();
        return IsTerminal ? new LiveProgress(AnsiConsole.Console, unit) : new PlainProgress(Console.Out, unit);
    }

    private static bool IsSet(string variable) => !string.IsNullOrEmpty(Environment.GetEnvironmentVariable(variable));

    /// <summary>For <c>--quiet</c>.</summary>
    private sealed class NoProgress : IProgressDisplay
    {
        public Task<BenchOutcome> ShowAsync(Func<Action<ProgressSample>, Task<BenchOutcome>> run) => run(_ => { });
    }
}
