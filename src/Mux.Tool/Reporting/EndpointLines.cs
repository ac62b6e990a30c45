using Mux.Tool.Load;

namespace Mux.Tool.Reporting;

/// <summary>Lines of a summary about the endpoints, and about connections that were replaced.</summary>
internal static class EndpointLines
{
    private const int FigureWidth = 9;
    private const int MinAddressWidth = 26;
    private const int LineWidth = 80;

    private static readonly string[] s_titles = ["calls", "share, %", "p50, us", "p99, us", "p99.9", "failed"];

    public static IEnumerable<string> Of(IReadOnlyList<EndpointOutcome> endpoints)
    {
        if (endpoints.Count == 0) yield break;
        int width = Math.Max(MinAddressWidth, endpoints.Max(endpoint => endpoint.Address.Length));
        yield return "";
        yield return "Endpoints".PadRight(width) + Row(s_titles);
        foreach (var endpoint in endpoints)
        {
            yield return endpoint.Address.PadRight(width) + Row(
            [
                Quantity.Compact(endpoint.Calls), Quantity.Decimal(100 * endpoint.Share, "0.0"), Percentile(endpoint, 0.5), Percentile(endpoint, 0.99),
                Percentile(endpoint, 0.999), Quantity.Compact(endpoint.Failed),
            ]);
            if (endpoint.Unreached is not { } reason) continue;
            foreach (var line in TextLines.Wrap("  not reached: ", reason, LineWidth)) yield return line;
        }
    }

    public static string Of(ChurnOutcome churn) =>
        $"churn: {Quantity.Decimal(churn.Rate, "0.##")} of {Quantity.Decimal(churn.TargetRate, "0.##")} connects/s, p50 "
            + $"{Quantity.Microseconds(churn.Latencies.Percentile(0.5))} us, p99 {Quantity.Microseconds(churn.Latencies.Percentile(0.99))} us"
            + (churn.Errors == 0 ? "" : $", failed {Quantity.Compact(churn.Errors)}");

    private static string Percentile(EndpointOutcome endpoint, double quantile) =>
        endpoint.Calls == 0 ? Quantity.NotAvailable : Quantity.Microseconds(endpoint.Latencies.Percentile(quantile));

    private static string Row(IEnumerable<string> figures) => string.Concat(figures.Select(figure => figure.PadLeft(FigureWidth)));
}
