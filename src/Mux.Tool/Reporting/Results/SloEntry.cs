namespace Mux.Tool.Reporting.Results;

/// <param name="Objective">The objective, such as p99&lt;2ms.</param>
/// <param name="Actual">Measured: microseconds, or a share from 0 to 1 for errors; of several runs the median, or the share of all calls.</param>
/// <param name="Limit">What it must stay below, in the same unit.</param>
/// <param name="Met">Null if there were too few replies to tell.</param>
internal sealed record SloEntry(string Objective, double Actual, double Limit, bool? Met);
