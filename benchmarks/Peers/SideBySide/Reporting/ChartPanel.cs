namespace SideBySide.Reporting;

/// <summary>Bars on an axis of their own that begins at 0.</summary>
/// <param name="Title">What they are of, with the unit and which end is better.</param>
/// <param name="Bars">From top to bottom.</param>
internal sealed record ChartPanel(string Title, IReadOnlyList<ChartBar> Bars);
