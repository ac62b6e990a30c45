using Evidence.Programs;

namespace Evidence.Ratios;

/// <summary>Rows of Mux and the yardstick in turns.</summary>
internal sealed class ClosedLoopRows(RatioPlan plan)
{
    // The objects of the messages themselves, which whoever reads them wants: at the client the request and the reply, at the server the request and the reply without its texts.
    private const double ClientMessages = 320;
    private const double ServerMessages = 112;

    // What the tool does once a second is in the figures per call, too.
    private const double NearlyNothing = 0.5;

    /// <summary>T1, which the rows of costs are of as well.</summary>
    public PairedRun Full { get; } = Measure("T1-10x200", new Shape(10, 200), plan);

    public IEnumerable<Row> Rates()
    {
        yield return Rate("T1", new Shape(10, 200), Full, 0.5);
        yield return Rate("T2", new Shape(1, 2000), 0.5);
        yield return Rate("T3", new Shape(10, 20), 0.6);
        yield return Rate("T3", new Shape(10, 1), 0.8);
    }

    public IEnumerable<Row> LoneCall()
    {
        var run = Measure("T4-1x1", new Shape(1, 1), plan, isRecording: true);
        double p50 = run.Mux(figures => figures.P50), p99 = run.Mux(figures => figures.P99);
        yield return new("T4", "1x1 p50", $"{run.P50Ratio.ToString("F3")} Y; {p50:F1} and {run.OfYardstick(figures => figures.P50):F1} us{(run.LimitRate is { } limit ? $"; C limit {1e6 / limit:F1} us on average" : "")}", "<= 1.4 Y", run.P50Ratio.Median <= 1.4);
        yield return new("T4", "1x1 p99", $"{p99 / p50:F2} x p50; {p99:F1} us", "<= 2 x p50", p99 <= 2 * p50);
    }

    public IEnumerable<Row> Costs()
    {
        double cpu = Full.Mux(figures => figures.CpuPerCall);
        yield return new("C1", "CPU per call, client + server, T1", $"{cpu:F2} us; Y {Full.OfYardstick(figures => figures.CpuPerCall):F2} us", "<= 0.7 us", cpu <= 0.7);

        double sends = Full.Mux(figures => figures.ClientSendsPerCall), receives = Full.Mux(figures => figures.ClientReceivesPerCall);
        double serverSends = Full.Mux(figures => figures.ServerSendsPerCall), serverReceives = Full.Mux(figures => figures.ServerReceivesPerCall);
        yield return new("C2", "sends + receives per call, T1", $"client {sends:F4} + {receives:F4}, server {serverSends:F4} + {serverReceives:F4}", "<= 0.05 per side",
            Math.Max(sends + receives, serverSends + serverReceives) <= 0.05);

        double client = Full.Mux(figures => figures.ClientBytesPerCall) - ClientMessages, server = Full.Mux(figures => figures.ServerBytesPerCall) - ServerMessages;
        yield return new("A1", "bytes allocated per call beyond the messages, T1", $"client {client:F1}, server {server:F1}", "0, 0", Math.Max(client, server) <= NearlyNothing);
    }

    private Row Rate(string id, Shape shape, double goal) => Rate(id, shape, Measure($"{id}-{shape}", shape, plan), goal);

    private static Row Rate(string id, Shape shape, PairedRun run, double goal)
    {
        var ratio = run.RateRatio;
        var text = $"{ratio.ToString("F3")} Y; {run.Mux(figures => figures.Rate):N0} and {run.OfYardstick(figures => figures.Rate):N0} calls/s{(run.LimitRate is { } limit ? $"; C limit {limit:N0}" : "")}";
        return new(id, shape.ToString(), text, $">= {goal} Y", ratio.Median >= goal);
    }

    private static PairedRun Measure(string name, Shape shape, RatioPlan plan, bool isRecording = false)
    {
        var run = PairedRun.Measure(shape, plan, Limit.IsThere, isRecording);
        plan.Keep(run.Typical(), name);
        return run;
    }
}
