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
            if (first != second) yield return $"{name} was {first} in the first file and {second} in the second";
        }

        foreach (var (which, result) in ((string, ResultFile)[])[("first", before), ("second", after)])
        {
            int invalid = (result.Runs is { } runs ? runs.Select(run => run.Results) : [result.Results]).Count(run => run.Schedule is { Valid: false });
            if (invalid > 0) yield return $"{invalid} of the runs in the {which} file {(invalid == 1 ? "was" : "were")} invalid";
        }
    }

    private static IEnumerable<(string Name, string First, string Second)> Pairs(ResultFile before, ResultFile after)
    {
        var (first, second) = (before.Configuration, after.Configuration);
        yield return Pair("the workload", first.Workload, second.Workload);
        yield return Pair("the shape of the method", first.Shape, second.Shape);
        yield return Pair("the hash of the requests", first.RequestsHash, second.RequestsHash);
        yield return Pair("the timeout in microseconds", first.TimeoutUs, second.TimeoutUs);
        yield return Pair("the size in bytes", first.Size, second.Size);
        yield return Pair("the number of connections", first.Connections, second.Connections);
        yield return Pair("the number of calls in flight", first.InFlight, second.InFlight);
        yield return Pair("the number of calls of which one is timed", first.TimeEvery, second.TimeEvery);
        yield return Pair("the number of calls (-n)", first.Calls, second.Calls);
        yield return Pair("the metadata", Joined(first.Metadata), Joined(second.Metadata));
        yield return Pair("the rate of the open loop", first.Rate, second.Rate);
        yield return Pair("the limit of open calls", first.MaxOpen, second.MaxOpen);
        yield return Pair("the number of items of a stream", first.StreamItems, second.StreamItems);
        yield return Pair("the window of a stream", first.Window, second.Window);
        yield return Pair("the place of the bulk (--bulk-on)", first.BulkOn, second.BulkOn);
        yield return Pair("the number of large replies in flight", first.BulkInFlight, second.BulkInFlight);
        yield return Pair("the deadline in microseconds", first.DeadlineUs, second.DeadlineUs);
        yield return Pair("the share of cancelled calls", first.CancelShare, second.CancelShare);
        yield return Pair("the connections replaced per second", first.ChurnRate, second.ChurnRate);
        yield return Pair("whether the bench started the server", first.OwnServer, second.OwnServer);
        yield return Pair("the profile of the server", ProfileOf(first), ProfileOf(second));
        yield return Pair("the work of the handlers", Plain(first.Handlers), Plain(second.Handlers));
        foreach (var pair in Sides("client", before.Environment.Client, after.Environment.Client)) yield return pair;
        foreach (var pair in Sides("server", before.Environment.Server, after.Environment.Server)) yield return pair;
    }

    private static IEnumerable<(string, string, string)> Sides(string side, ProcessEnvironment? first, ProcessEnvironment? second)
    {
        yield return Pair($"the {side}'s runtime", first?.Runtime, second?.Runtime);
        yield return Pair($"the {side}'s garbage collector", first?.Gc, second?.Gc);
        yield return Pair($"the {side}'s number of CPUs", first?.Cpus, second?.Cpus);
        if (first?.CpuModel is not null && second?.CpuModel is not null) yield return Pair($"the {side}'s CPU model", first.CpuModel, second.CpuModel);
        if (first?.Kernel is not null && second?.Kernel is not null) yield return Pair($"the {side}'s kernel", first.Kernel, second.Kernel);
        yield return Pair($"the {side}'s operating system", first?.Os, second?.Os);
        yield return Pair($"the {side}'s architecture", first?.Architecture, second?.Architecture);
        yield return Pair($"the {side}'s congestion control", first?.CongestionControl, second?.CongestionControl);
        yield return Pair($"the {side}'s engine", first?.Engine, second?.Engine);
    }

    private static string? Joined(IReadOnlyList<string>? names) => names is null ? null : string.Join(", ", names);

    // A server that does not tell, such as those before profiles, has plain handlers.
    private static HandlersEntry? Plain(HandlersEntry? handlers) => handlers == new HandlersEntry(0, 0, 0, 0) ? null : handlers;

    // Servers of a bench had this profile before there was a choice.
    private static string? ProfileOf(ConfigurationSection configuration) => configuration.OwnServer ? configuration.Profile ?? "edge" : null;

    private static (string, string, string) Pair(string name, object? first, object? second) => (name, Text(first), Text(second));

    private static string Text(object? value) => value switch
    {
        null => "none",
        bool isSo => isSo ? "yes" : "no",
        HandlersEntry handlers => Described(handlers),
        _ => string.Create(CultureInfo.InvariantCulture, $"{value}"),
    };

    private static string Described(HandlersEntry handlers) => string.Create(
        CultureInfo.InvariantCulture,
        $"{handlers.CostUs} us busy, " +
        $"{100 * handlers.SlowShare:0.####} % blocked for {handlers.SlowUs} us, " +
        $"{(handlers.Workers == 0 ? "any number" : handlers.Workers.ToString(CultureInfo.InvariantCulture))} at once");
}
