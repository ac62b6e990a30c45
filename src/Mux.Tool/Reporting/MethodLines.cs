using Mux.Tool.Load;

namespace Mux.Tool.Reporting;

/// <summary>Lines of a summary about a method that is no workload of the tool.</summary>
internal static class MethodLines
{
    private static readonly string[] s_oneWay =
    [
        "One-way: a call ends when its request is queued. Nothing tells whether the",
        "server executed it.",
    ];

    private static readonly string[] s_stream =
    [
        "A response stream is one call: its latency ends with its last item.",
    ];

    /// <summary>Tells how many requests take turns; empty for one.</summary>
    public static string RequestsNote(BenchConfiguration configuration) =>
        configuration.Method is { Requests.Count: > 1 and var count } ? $", {Quantity.Count((long)count)} requests in turn" : "";

    /// <summary>Gets the figures in addition to the rate.</summary>
    public static IEnumerable<string> Figures(BenchOutcome outcome)
    {
        if (outcome.Items is not { } items) yield break;
        var parts = new List<string>();
        if (items.SentRate is { } sent) parts.Add($"sent {Quantity.Count(sent)} items/s");
        if (items.ReceivedRate is { } received) parts.Add($"received {Quantity.Count(received)} items/s");
        if (outcome.Calls is { Cut: > 0 and var cut }) parts.Add($"streams open at the end: {Quantity.Compact(cut)}");
        yield return string.Join(", ", parts);
    }

    /// <summary>Explains the latencies; null for those of calls with a reply.</summary>
    public static IEnumerable<string>? Closing(MethodLoad? method) => method switch
    {
        { IsOneWay: true } => s_oneWay,
        { HasResponseStream: true } => s_stream,
        _ => null,
    };
}
