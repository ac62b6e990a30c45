using System.Globalization;
using Mux.Tool.Reporting;
using Spectre.Console;

namespace Mux.Tool.Gateway;

/// <summary>The live table of <c>mux gateway</c>: the methods with the most calls in the last second. Methods and addresses are texts of peers.</summary>
internal sealed class GatewayTable(MuxServer server, CallCounts counts)
{
    private const int MaxRows = 20;

    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(1);

    private Dictionary<(string Method, string Client), (long Calls, long Failed)> _before = [];

    /// <summary>Redraws the table each second, until the gateway is to stop.</summary>
    public Task RunAsync(Task stopped) => AnsiConsole.Live(Draw()).AutoClear(true).StartAsync(async context =>
    {
        while (await Task.WhenAny(stopped, Task.Delay(s_interval, TimeProvider.System)).ConfigureAwait(false) != stopped) context.UpdateTarget(Draw());
    });

    private Rows Draw()
    {
        var now = counts.Read().ToDictionary();
        var table = new Table().Border(TableBorder.None).AddColumns("method", "to");
        foreach (var title in new[] { "calls/s", "failed/s", "calls", "failed" }) table.AddColumn(new TableColumn(title).RightAligned());
        var rows = now.Select(entry => (entry.Key, Total: entry.Value, Last: LastSecondOf(entry.Key, entry.Value)))
            .OrderByDescending(static row => row.Last.Calls).ThenByDescending(static row => row.Total.Calls).Take(MaxRows);
        foreach (var (key, total, last) in rows)
        {
            table.AddRow(Plain(key.Method), Plain(key.Client), Number(last.Calls), Number(last.Failed), Number(total.Calls), Number(total.Failed));
        }

        _before = now;
        var statistics = server.GetStatistics();
        long active = statistics.CallsStarted - statistics.CallsCompleted;
        return new Rows(new Text($"{server.Address}: {statistics.OpenConnections:N0} connections, {active:N0} open calls; Ctrl-C stops"), table);
    }

    private (long Calls, long Failed) LastSecondOf((string, string) key, (long Calls, long Failed) now)
    {
        var before = _before.GetValueOrDefault(key);
        return (now.Calls - before.Calls, now.Failed - before.Failed);
    }

    private static Text Plain(string text) => new Text(PrintableText.Of(text));

    private static Text Number(long number) => new Text(number.ToString("N0", CultureInfo.InvariantCulture));
}
