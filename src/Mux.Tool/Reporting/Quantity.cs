using System.Globalization;

namespace Mux.Tool.Reporting;

/// <summary>Formats numbers for people.</summary>
internal static class Quantity
{
    public const string NotAvailable = "n/a";

    public static string Count(long value) => value.ToString("N0", CultureInfo.InvariantCulture);

    public static string Count(double value) => Math.Round(value).ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>Formats a count in at most ten characters.</summary>
    public static string Compact(long value) => value switch
    {
        < 10_000_000 => Count(value),
        < 10_000_000_000 => Decimal(value / 1e6, "N1") + " M",
        _ => Decimal(value / 1e9, "N1") + " G",
    };

    /// <summary>Formats a latency in microseconds, with a decimal if it matters.</summary>
    public static string Microseconds(long nanoseconds)
    {
        double value = nanoseconds / 1000.0;
        return value.ToString(value < 100 ? "N1" : "N0", CultureInfo.InvariantCulture);
    }

    public static string Decimal(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture) ?? NotAvailable;

    /// <summary>Formats a time in UTC as ISO 8601, to the second.</summary>
    public static string? Date(DateTimeOffset? value) => value?.UtcDateTime.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);

    public static string Seconds(TimeSpan value) => value.TotalSeconds.ToString("0.#", CultureInfo.InvariantCulture) + " s";
}
