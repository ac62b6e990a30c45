using System.Globalization;
using Mux.Tool.Reporting.Results;
using Mux.Tool.Serving;

namespace Mux.Tool.Comparing;

/// <summary>
/// Checks whether two results are comparable: the same machine, configuration and calls. Versions of the tool may differ, because they are what is compared.
/// </summary>
internal static class Likeness
{
    /// <summary>Gets the differences, and reasons why they cannot be compared at all; empty for comparable results.</summary>
    public static IEnumerable<string> Differences(ResultFile before, ResultFile after)
    {
        foreach (var (name, first, second) in Pairs(before, after))
        {
            if (first != second) yield return $"{name} is {first} there and {second} here";
        }

        foreach (var (which, result) in ((string, ResultFile)[])[("first", before), ("second", after)])
        {
            int invalid = (result.Runs is { } runs ? runs.Select(run => run.Results) : [result.Results]).Count(run => run.Schedule is { Valid: false });
            if (invalid > 0) yield return $"{invalid} of the {which} file's runs {(invalid == 1 ? "is" : "are")} invalid";
        }
    }

    private static IEnumerable<(string Name, string First, string Second)> Pairs(ResultFile before, ResultFile after)
    {
        var (first, second) = (before.Configuration, after.Configuration);
        yield return Pair("workload", first.Workload, second.Workload);
        yield return Pair("size", first.Size, second.Size);
        yield return Pair("connections", first.Connections, second.Connections);
        yield return Pair("in_flight", first.InFlight, second.InFlight);
        yield return Pair("time_every", first.TimeEvery, second.TimeEvery);
        yield return Pair("calls", first.Calls, second.Calls);
        yield return Pair("metadata", Joined(first.Metadata), Joined(second.Metadata));
        yield return Pair("rate", first.Rate, second.Rate);
        yield return Pair("max_open", first.MaxOpen, second.MaxOpen);
        yield return Pair("stream_items", first.StreamItems, second.StreamItems);
        yield return Pair("window", first.Window, second.Window);
        yield return Pair("bulk_on", first.BulkOn, second.BulkOn);
        yield return Pair("bulk_in_flight", first.BulkInFlight, second.BulkInFlight);
        yield return Pair("deadline_us", first.DeadlineUs, second.DeadlineUs);
        yield return Pair("cancel_share", first.CancelShare, second.CancelShare);
        yield return Pair("own_server", first.OwnServer, second.OwnServer);
        yield return Pair("profile", ProfileOf(first), ProfileOf(second));
        yield return Pair("handlers", Plain(first.Handlers), Plain(second.Handlers));
        foreach (var pair in Sides("client", before.Environment.Client, after.Environment.Client)) yield return pair;
        foreach (var pair in Sides("server", before.Environment.Server, after.Environment.Server)) yield return pair;
    }

    private static IEnumerable<(string, string, string)> Sides(string side, ProcessEnvironment? first, ProcessEnvironment? second)
    {
        yield return Pair($"{side} runtime", first?.Runtime, second?.Runtime);
        yield return Pair($"{side} gc", first?.Gc, second?.Gc);
        yield return Pair($"{side} cpus", first?.Cpus, second?.Cpus);
        if (first?.CpuModel is not null && second?.CpuModel is not null) yield return Pair($"{side} cpu_model", first.CpuModel, second.CpuModel);
        if (first?.Kernel is not null && second?.Kernel is not null) yield return Pair($"{side} kernel", first.Kernel, second.Kernel);
        yield return Pair($"{side} os", first?.Os, second?.Os);
        yield return Pair($"{side} architecture", first?.Architecture, second?.Architecture);
        yield return Pair($"{side} congestion_control", first?.CongestionControl, second?.CongestionControl);
        yield return Pair($"{side} engine", first?.Engine, second?.Engine);
    }

    private static string? Joined(IReadOnlyList<string>? names) => names is null ? null : string.Join(", ", names);

    // A server that does not tell, such as those before profiles, has plain handlers.
    private static HandlersEntry? Plain(HandlersEntry? handlers) => handlers == new HandlersEntry(0, 0, 0, 0) ? null : handlers;

    // Servers of a bench had this profile before there was a choice.
    private static string? ProfileOf(ConfigurationSection configuration) => configuration.OwnServer ? configuration.Profile ?? "edge" : null;

    private static (string, string, string) Pair(string name, object? first, object? second) => (name, Text(first), Text(second));

    private static string Text(object? value) => value is null ? "none" : string.Create(CultureInfo.InvariantCulture, $"{value}");
}
