using Mux.ProtocolCases.Running;
using Mux.Tool.Checking;
using Spectre.Console;

namespace Mux.Tool.Reporting;

/// <summary>A progress bar on a terminal, removed after the last case; nothing elsewhere.</summary>
internal static class SpecProgress
{
    public static Task<IReadOnlyList<CheckedCase>> ShowAsync(int count, Func<Action<CheckedCase>, Task<IReadOnlyList<CheckedCase>>> run)
    {
        if (!ProgressDisplay.IsTerminal) return run(_ => { });
        return AnsiConsole.Progress().AutoClear(true).StartAsync(context =>
        {
            var task = context.AddTask("Playing cases", maxValue: count);
            int failed = 0;
            return run(done =>
            {
                if (done.Verdict == SpecVerdict.Failed) failed++;
                task.Description = failed == 0 ? Markup.Escape(done.Name) : $"[red]{failed} failed[/] {Markup.Escape(done.Name)}";
                task.Increment(1);
            });
        });
    }
}
