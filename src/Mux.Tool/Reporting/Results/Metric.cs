using Mux.Tool.Workloads;

namespace Mux.Tool.Reporting.Results;

/// <summary>A figure of the flat part of a result.</summary>
/// <param name="Name">Name in the file.</param>
/// <param name="Text">Text for people, about calls.</param>
/// <param name="MoreIsBetter">True if higher is better.</param>
/// <param name="Of">Gets the figure; null if it does not exist.</param>
internal sealed record Metric(string Name, string Text, bool MoreIsBetter, Func<CiSection, double?> Of)
{
    /// <summary>Gets the text for the unit of a result.</summary>
    public string TextOf(CountedUnit unit) => unit.In(Text);

    public static IReadOnlyList<Metric> All { get; } =
    [
        new("rate", "calls/s", true, ci => ci.Rate),
        new("items_per_s", "items/s", true, ci => ci.ItemsPerS),
        new("mb_per_s", "MB/s", true, ci => ci.MbPerS),
        new("p50_us", "p50, us", false, ci => ci.P50Us),
        new("p99_us", "p99, us", false, ci => ci.P99Us),
        new("p999_us", "p99.9, us", false, ci => ci.P999Us),
        new("first_p50_us", "first item p50, us", false, ci => ci.FirstP50Us),
        new("first_p99_us", "first item p99, us", false, ci => ci.FirstP99Us),
        new("client_cpu_us_per_call", "client CPU, us/call", false, ci => ci.ClientCpuUsPerCall),
        new("server_cpu_us_per_call", "server CPU, us/call", false, ci => ci.ServerCpuUsPerCall),
        new("client_bytes_per_call", "client bytes/call", false, ci => ci.ClientBytesPerCall),
        new("server_bytes_per_call", "server bytes/call", false, ci => ci.ServerBytesPerCall),
        new("calls_per_send", "calls/send", true, ci => ci.CallsPerSend),
    ];
}
