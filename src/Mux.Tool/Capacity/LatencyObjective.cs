namespace Mux.Tool.Capacity;

/// <summary>A percentile of the response times that must stay below a limit.</summary>
/// <param name="Quantile">Above 0 and below 1.</param>
/// <param name="Limit">Above zero.</param>
internal readonly record struct LatencyObjective(double Quantile, TimeSpan Limit);
