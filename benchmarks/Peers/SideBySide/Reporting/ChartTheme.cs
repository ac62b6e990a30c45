namespace SideBySide.Reporting;

/// <summary>Colours of a chart for pages of a kind.</summary>
/// <param name="Name">Of the file.</param>
/// <param name="Text">Titles and values.</param>
/// <param name="Faint">Units and notes.</param>
/// <param name="Own">Bars of Mux.</param>
/// <param name="Other">Bars of the others.</param>
/// <param name="Whisker">Intervals, which lie upon the bars.</param>
internal sealed record ChartTheme(string Name, string Text, string Faint, string Own, string Other, string Whisker)
{
    // Without a background of their own: the page's shows.
    public static IReadOnlyList<ChartTheme> All { get; } =
    [
        new("light", "#1f2328", "#59636e", "#0969da", "#8c959f", "#1f2328"),
        new("dark", "#e6edf3", "#9198a1", "#4493f8", "#6e7681", "#e6edf3"),
    ];
}
