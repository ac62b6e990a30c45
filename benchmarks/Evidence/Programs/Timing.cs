using System.Globalization;

namespace Evidence.Programs;

/// <summary>How long a run is.</summary>
/// <param name="Seconds">Measured.</param>
/// <param name="Warmup">Seconds of load before that.</param>
internal sealed record Timing(double Seconds, double Warmup)
{
    /// <summary>For the command line of the tool.</summary>
    public string[] Arguments { get; } = ["--duration", Text(Seconds), "--warmup", Text(Warmup)];

    private static string Text(double seconds) => string.Create(CultureInfo.InvariantCulture, $"{seconds * 1000:F0}ms");
}
