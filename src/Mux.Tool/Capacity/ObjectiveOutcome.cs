namespace Mux.Tool.Capacity;

/// <summary>One objective compared with what was measured.</summary>
/// <param name="Objective">As it was given, such as <c>p99&lt;2ms</c>.</param>
/// <param name="Actual">The measured value: microseconds of a percentile, or a share from 0 to 1 of failed calls.</param>
/// <param name="Limit">The value that it must stay below.</param>
/// <param name="Text">The measured value for people.</param>
/// <param name="IsMet">Null if there were too few replies to tell.</param>
internal sealed record ObjectiveOutcome(string Objective, double Actual, double Limit, string Text, bool? IsMet);
