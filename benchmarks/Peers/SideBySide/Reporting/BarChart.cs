using System.Globalization;
using System.Net;
using System.Text;

namespace SideBySide.Reporting;

/// <summary>Draws bands of bars as one SVG file that needs no other.</summary>
internal static class BarChart
{
    // As wide as a page of a repository shows it, so that text has the size that it says.
    private const int Width = 800;

    private const int Margin = 12;
    private const int NameWidth = 158;
    private const int LeftBars = Margin + NameWidth;
    private const int RightBars = 500;

    // What is left of a panel has the values.
    private const int BarWidth = 215;

    private const int RowHeight = 23;
    private const int BarHeight = 15;
    private const int BandHead = 56;
    private const int BandFoot = 14;
    private const int TitleHeight = 30;
    private const int NoteHeight = 18;

    /// <param name="theme">Its colours.</param>
    /// <param name="title">What it shows, in a line.</param>
    /// <param name="bands">From top to bottom.</param>
    /// <param name="notes">Lines below them: how and on what it was measured.</param>
    public static string Draw(ChartTheme theme, string title, IReadOnlyList<ChartBand> bands, IReadOnlyList<string> notes)
    {
        int height = TitleHeight + bands.Sum(HeightOf) + notes.Count * NoteHeight + Margin;
        var svg = new StringBuilder();
        svg.Append(CultureInfo.InvariantCulture, $"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{Width}\" height=\"{height}\" viewBox=\"0 0 {Width} {height}\" role=\"img\" aria-labelledby=\"title\" ");
        svg.Append("font-family=\"system-ui, -apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif\" font-size=\"12.5\">\n");
        svg.Append(CultureInfo.InvariantCulture, $"<title id=\"title\">{Encode(title)}</title>\n");
        AppendText(svg, theme.Text, Margin, 22, title, "font-size=\"16\" font-weight=\"600\"");
        int top = TitleHeight;
        foreach (var band in bands)
        {
            AppendText(svg, theme.Text, Margin, top + 24, band.Title, "font-size=\"14\" font-weight=\"600\"");
            AppendPanel(svg, theme, band.Left, LeftBars, top, hasNames: true);
            AppendPanel(svg, theme, band.Right, RightBars, top, hasNames: false);
            top += HeightOf(band);
        }

        foreach (var note in notes) AppendText(svg, theme.Faint, Margin, top += NoteHeight, note, "font-size=\"11.5\"");
        return svg.Append("</svg>\n").ToString();
    }

    private static int HeightOf(ChartBand band) => BandHead + band.Left.Bars.Count * RowHeight + BandFoot;

    private static void AppendPanel(StringBuilder svg, ChartTheme theme, ChartPanel panel, int left, int top, bool hasNames)
    {
        AppendText(svg, theme.Faint, left, top + 46, panel.Title);
        double longest = panel.Bars.Max(bar => bar.Value.High);
        for (int i = 0; i < panel.Bars.Count; i++)
        {
            var bar = panel.Bars[i];
            double y = top + BandHead + i * RowHeight, middle = y + BarHeight / 2.0;
            if (hasNames) AppendText(svg, theme.Text, left - 8, y + 12, bar.Name, bar.IsOwn ? "text-anchor=\"end\" font-weight=\"600\"" : "text-anchor=\"end\"");
            double end = Length(bar.Value.Median), low = Length(bar.Value.Low), high = Length(bar.Value.High);
            svg.Append(CultureInfo.InvariantCulture, $"<rect x=\"{left}\" y=\"{y:0.#}\" width=\"{Math.Max(1, end):0.#}\" height=\"{BarHeight}\" rx=\"2\" fill=\"{(bar.IsOwn ? theme.Own : theme.Other)}\">");
            svg.Append(CultureInfo.InvariantCulture, $"<title>{Encode(bar.Name)}: {Encode(FigureText.Of(bar.Value))}</title></rect>\n");
            if (high - low >= 1) svg.Append(CultureInfo.InvariantCulture, $"<path d=\"M{left + low:0.#} {middle:0.#}H{left + high:0.#}\" stroke=\"{theme.Whisker}\" stroke-width=\"1.5\"/>\n");
            AppendText(svg, theme.Text, left + Math.Max(end, high) + 6, y + 12, FigureText.Of(bar.Value.Median), bar.IsOwn ? "font-weight=\"600\"" : "");
        }

        double Length(double value) => longest <= 0 ? 0 : value / longest * BarWidth;
    }

    private static void AppendText(StringBuilder svg, string colour, double x, double y, string text, string attributes = "") =>
        svg.Append(CultureInfo.InvariantCulture, $"<text x=\"{x:0.#}\" y=\"{y:0.#}\" fill=\"{colour}\"{(attributes.Length == 0 ? "" : " ")}{attributes}>{Encode(text)}</text>\n");

    private static string Encode(string text) => WebUtility.HtmlEncode(text);
}
