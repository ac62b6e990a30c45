using Mux.Tool.Load;
using Mux.Tool.Workloads;
using Spectre.Console;

namespace Mux.Tool.Reporting;

/// <summary>Selects the progress display.</summary>
internal static class ProgressDisplay
{
    /// <summary>True if the output can be overwritten.</summary>
    public static bool IsTerminal => !Console.IsOutputRedirected && !IsSet("CI") && !IsSet("NO_COLOR");

    /// <param name="isQuiet">True for no progress.</param>
    /// <param name="isText">True if the standard output is for people; otherwise the error stream is.</param>
    /// <param name="unit">Counted unit.</param>
    public static IProgressDisplay Choose(bool isQuiet, bool isText, CountedUnit unit)
    {
        if (isQuiet) return new NoProgress();
        if (!isText) return new PlainProgress(Console.Error, unit);
        return IsTerminal ? new LiveProgress(AnsiConsole.Console, unit) : new PlainProgress(Console.Out, unit);
    }

    private static bool IsSet(string variable) => !string.IsNullOrEmpty(Environment.GetEnvironmentVariable(variable));

    /// <summary>For <c>--quiet</c>.</summary>
    private sealed class NoProgress : IProgressDisplay
    {
        public Task<BenchOutcome> ShowAsync(Func<Action<ProgressSample>, Task<BenchOutcome>> run) => run(_ => { });
    }
}
