using Mux.Tool.Workloads;
using Spectre.Console;

namespace Mux.Tool.Reporting;

/// <summary>Chooses how progress is shown.</summary>
internal static class ProgressDisplay
{
    public static IProgressDisplay Choose(bool isQuiet, CountedUnit unit)
    {
        if (isQuiet) return new NoProgress();
        bool isTerminal = !Console.IsOutputRedirected && !IsSet("CI") && !IsSet("NO_COLOR");
        return isTerminal ? new LiveProgress(AnsiConsole.Console, unit) : new PlainProgress(Console.Out, unit);
    }

    private static bool IsSet(string variable) => !string.IsNullOrEmpty(Environment.GetEnvironmentVariable(variable));
}
