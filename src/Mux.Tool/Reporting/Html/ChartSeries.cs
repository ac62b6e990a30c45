namespace Mux.Tool.Reporting.Html;

/// <summary>A line of a chart.</summary>
/// <param name="Name">Name in the legend.</param>
/// <param name="Points">Points in the order in which they are joined.</param>
internal sealed record ChartSeries(string Name, IReadOnlyList<(double X, double Y)> Points);
