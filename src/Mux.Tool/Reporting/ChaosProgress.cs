using Mux.Tool.Chaos;
using Spectre.Console;

namespace Mux.Tool.Reporting;

/// <summary>Shows a <see cref="ChaosProxy"/> at work: a table of its connections on a terminal, else a line per second in which something happened.</summary>
internal static class ChaosProgress
{
    private const int MostRows = 20;

    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(1);

    /// <param name="proxy">The proxy.</param>
    /// <param name="isQuiet">True to show nothing.</param>
    /// <param name="ended">Completes at the end.</param>
    public static async Task ShowAsync(ChaosProxy proxy, bool isQuiet, Task ended)
    {
        if (isQuiet) await ended.ConfigureAwait(false);
        else if (ProgressDisplay.IsTerminal) await ShowTableAsync(proxy, ended).ConfigureAwait(false);
        else await ShowLinesAsync(proxy, ended).ConfigureAwait(false);
    }

    private static async Task ShowLinesAsync(ChaosProxy proxy, Task ended)
    {
        var last = ChaosSummary.Line(proxy);
        while (!await HasEndedAsync(ended).ConfigureAwait(false))
        {
            var line = ChaosSummary.Line(proxy);
            if (line != last) Console.WriteLine(line);
            last = line;
        }
    }

    private static Task ShowTableAsync(ChaosProxy proxy, Task ended) =>
        AnsiConsole.Console.Live(new Text("")).AutoClear(true).StartAsync(async context =>
        {
            do context.UpdateTarget(new Rows(Connections(proxy), new Text(ChaosSummary.Line(proxy))));
            while (!await HasEndedAsync(ended).ConfigureAwait(false));
        });

    private static Table Connections(ChaosProxy proxy)
    {
        var table = new Table().Border(TableBorder.Rounded).AddColumn("#").AddColumn("client");
        foreach (var title in (string[])["bytes up", "bytes down", "faults", "now"]) table.AddColumn(new TableColumn(title).RightAligned());
        var connections = proxy.Connections();
        foreach (var connection in connections.TakeLast(MostRows))
        {
            table.AddRow(
                Quantity.Count(connection.Number),
                Markup.Escape(connection.Client),
                Quantity.Compact(connection.Tally[ChaosCount.BytesUpstream]),
                Quantity.Compact(connection.Tally[ChaosCount.BytesDownstream]),
                Quantity.Compact(connection.Tally.Faults),
                connection.IsStruck ? "[red]faults[/]" : "calm");
        }

        return connections.Count > MostRows ? table.Caption($"and {connections.Count - MostRows} older") : table;
    }

    private static async Task<bool> HasEndedAsync(Task ended)
    {
        await Task.WhenAny(ended, Task.Delay(s_interval, TimeProvider.System)).ConfigureAwait(false);
        return ended.IsCompleted;
    }
}
