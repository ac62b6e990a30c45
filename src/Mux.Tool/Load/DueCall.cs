namespace Mux.Tool.Load;

/// <summary>A call of a schedule.</summary>
/// <param name="Number">1 and up in the order of the schedule.</param>
/// <param name="IntendedAt">When it is to be made, in ticks of <see cref="System.Diagnostics.Stopwatch"/>.</param>
internal readonly record struct DueCall(long Number, long IntendedAt);
