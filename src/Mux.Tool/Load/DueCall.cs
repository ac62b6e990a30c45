namespace Mux.Tool.Load;

/// <summary>A call of a schedule.</summary>
/// <param name="Number">Number from 1, in the order of the schedule.</param>
/// <param name="IntendedAt">Due time, in ticks of <see cref="System.Diagnostics.Stopwatch"/>.</param>
internal readonly record struct DueCall(long Number, long IntendedAt);
