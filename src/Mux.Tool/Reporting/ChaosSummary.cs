using Mux.Tool.Chaos;

namespace Mux.Tool.Reporting;

/// <summary>What went through a <see cref="ChaosProxy"/>, for people.</summary>
internal static class ChaosSummary
{
    public static IEnumerable<string> Lines(ChaosProxy proxy)
    {
        var tally = proxy.Tally;
        yield return $"connections   {Quantity.Count(proxy.Accepted)} accepted, {Quantity.Count(proxy.Unreachable)} of them reset because the server was not "
            + "reached";
        if (proxy.LastFailure is { } failure) yield return $"              {failure}";
        yield return $"bytes         {Quantity.Count(tally[ChaosCount.BytesUpstream])} to the server, "
            + $"{Quantity.Count(tally[ChaosCount.BytesDownstream])} to clients";
        yield return $"faults        {Quantity.Count(tally[ChaosCount.Stalls])} stalls, {Quantity.Count(tally[ChaosCount.Resets])} resets, "
            + $"{Quantity.Count(tally[ChaosCount.DroppedBytes])} bytes dropped, {Quantity.Count(tally[ChaosCount.CorruptedBytes])} bytes corrupted";
        yield return $"seed          {proxy.Seed}";
    }

    /// <summary>One line, for logs and pipes.</summary>
    public static string Line(ChaosProxy proxy) =>
        $"connections {proxy.Connections().Count} open of {Quantity.Count(proxy.Accepted)}  up {Quantity.Count(proxy.Tally[ChaosCount.BytesUpstream])} B  "
            + $"down {Quantity.Count(proxy.Tally[ChaosCount.BytesDownstream])} B  faults {Quantity.Count(proxy.Tally.Faults)}";
}
