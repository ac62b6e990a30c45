using System.Text.Json;
using Evidence.Statistics;

namespace Evidence.Programs;

/// <summary>The result file of <c>mux bench</c>, schema <c>mux.bench/1</c>: of one run, or the medians of several.</summary>
internal sealed class BenchFigures(JsonElement file)
{
    public double Rate => Ci("rate");

    public double P50 => Ci("p50_us");

    public double P99 => Ci("p99_us");

    public double P999 => Ci("p999_us");

    /// <summary>Of bulk: millions of bytes per second each way; of mixed from the server.</summary>
    public double MegabytesPerSecond => Median(run => run.GetProperty("mb_per_s").GetDouble());

    /// <summary>Of mixed: how long the connection takes for the bulk that may stand before a small call, microseconds.</summary>
    public double Bound => Median(run => run.GetProperty("bulk").GetProperty("bound_us").GetDouble());

    public double CpuPerCall => ClientCpuPerCall + ServerCpuPerCall;

    public double ClientCpuPerCall => Ci("client_cpu_us_per_call");

    public double ServerCpuPerCall => Ci("server_cpu_us_per_call");

    public double ClientBytesPerCall => Ci("client_bytes_per_call");

    public double ServerBytesPerCall => Ci("server_bytes_per_call");

    public double ClientSendsPerCall => PerCall("client", "sends");

    public double ServerSendsPerCall => PerCall("server", "sends");

    /// <summary>Those that received something.</summary>
    public double ClientReceivesPerCall => PerCall("client", "receives");

    /// <inheritdoc cref="ClientReceivesPerCall"/>
    public double ServerReceivesPerCall => PerCall("server", "receives");

    public double ClientHandOffs => Usage("client", "take_overs");

    public double ServerHandOffs => Usage("server", "take_overs");

    /// <summary>Runs there are.</summary>
    public int RunCount => Runs.Count();

    /// <summary>Of an open loop, those in which the generator did not keep its schedule: why.</summary>
    public IReadOnlyList<string> InvalidRuns =>
    [
        .. Runs.Select(run => run.GetProperty("schedule").GetProperty("invalid_because")).Where(reasons => reasons.GetArrayLength() > 0)
            .Select(reasons => string.Join(", ", reasons.EnumerateArray().Select(reason => reason.GetString()))),
    ];

    private IEnumerable<JsonElement> Runs =>
        file.GetProperty("runs") is { ValueKind: JsonValueKind.Array } runs ? runs.EnumerateArray().Select(run => run.GetProperty("results")) : [file.GetProperty("results")];

    /// <summary>A percentile of the calls beside those that are slow on purpose, in microseconds.</summary>
    /// <param name="name">p50, p99 or p999.</param>
    public double Others(string name) => Median(run => run.GetProperty("others_us").GetProperty(name).GetDouble());

    /// <summary>The version of the tool, with its commit.</summary>
    public string Tool => file.GetProperty("environment").GetProperty("client").GetProperty("tool").GetString()!;

    private double Ci(string name) => file.GetProperty("ci").GetProperty(name).GetDouble();

    private double Usage(string process, string name) => Median(run => run.GetProperty(process).GetProperty(name).GetDouble());

    private double PerCall(string process, string name) => Median(run => run.GetProperty(process).GetProperty(name).GetDouble() / run.GetProperty(process).GetProperty("calls").GetDouble());

    private double Median(Func<JsonElement, double> figure) => Estimate.MedianOf(Runs.Select(figure));
}
