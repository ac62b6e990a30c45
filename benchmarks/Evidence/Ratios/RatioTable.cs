using Evidence.Connections;
using Evidence.Programs;
using Evidence.Serving;

namespace Evidence.Ratios;

/// <summary>The goals of the fast path, each with what was measured: the ratios are those of runs in turns.</summary>
internal static class RatioTable
{
    private const int IdleConnections = 10_000;

    public static async Task RunAsync(CommandLine options)
    {
        var timing = new Timing(options.Seconds("--seconds", 4), options.Seconds("--warmup", 3));
        var plan = new RatioPlan(options.Count("--pairs", 10, 1, 1000), timing, options.Text("--results", "") is { Length: > 0 } folder ? folder : null);
        Console.WriteLine($"{Machine.Describe()}, engine {EngineChoice.All[0]}.");
        Console.WriteLine($"{plan.Pairs} {(plan.Pairs == 1 ? "pair" : "pairs")} of {timing.Seconds} s after {timing.Warmup} s of warm-up, Mux and the yardstick (Y) in turns; medians, and of ratios the 95 % interval.");
        Console.WriteLine(Limit.IsThere ? "C limit: the same bytes without a call (benchmarks/Limit), in the same turns." : "limit skipped: benchmarks/Limit was not compiled, which benchmarks/ratios does where there is gcc.");
        Console.WriteLine();
        Console.WriteLine(Row.Heading);
        var closed = new ClosedLoopRows(plan);
        Write(closed.Rates());
        Write(closed.LoneCall());
        var open = new OpenLoopRows(plan, closed.Full.Mux(figures => figures.Rate));
        Write([open.Response()]);
        Write(closed.Costs());
        Write([open.BesideSlowHandlers("1%"), open.BesideSlowHandlers("0.1%")]);
        Console.WriteLine(await IdleAsync());
        Write([FirstCall.ToRow(plan.Pairs)]);
    }

    private static void Write(IEnumerable<Row> rows)
    {
        foreach (var row in rows) Console.WriteLine(row);
    }

    private static async Task<Row> IdleAsync()
    {
        var third = await IdleMemory.MeasureAsync(EngineChoice.All[0], IdleConnections, Console.Error.WriteLine);
        return new("I1", $"server memory per connection, {IdleConnections:N0} idle", third.ToString(), "<= 4 KiB", third.IsGoalMet);
    }
}
