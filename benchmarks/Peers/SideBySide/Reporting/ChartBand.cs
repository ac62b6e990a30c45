namespace SideBySide.Reporting;

/// <summary>Two panels side by side, whose bars are of the same things in the same order.</summary>
/// <param name="Title">What both are of.</param>
/// <param name="Left">With the names of the bars.</param>
/// <param name="Right">Without.</param>
internal sealed record ChartBand(string Title, ChartPanel Left, ChartPanel Right);
