namespace Mux.Tool.Reporting.Html;

/// <summary>A line of a chart.</summary>
/// <param name="Name">As the legend has it.</param>
/// <param name="Points">In the order they are joined.</param>
internal sealed record ChartSeries(string Name, IReadOnlyList<(double X, double Y)> Points);
