using Evidence.Statistics;

namespace SideBySide.Reporting;

/// <summary>A bar of a chart.</summary>
/// <param name="Name">What it is of.</param>
/// <param name="Value">Its length, and the interval that is drawn upon it.</param>
/// <param name="IsOwn">Whether it has the colour of Mux.</param>
internal sealed record ChartBar(string Name, Estimate Value, bool IsOwn);
