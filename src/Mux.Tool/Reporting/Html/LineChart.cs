using System.Globalization;
using System.Net;
using System.Text;

namespace Mux.Tool.Reporting.Html;

/// <summary>Draws lines on two axes as SVG with the colours of the page.</summary>
internal static class LineChart
{
    // Small enough that the text is readable if the drawing is as narrow as a phone.
    private const double Width = 480;
    private const double Height = 270;
    private const double Left = 52;
    private const double Right = 14;
    private const double Top = 12;
    private const double Bottom = 40;

    private const int DotsUpTo = 40;

    public static string Draw(string title, ChartAxis x, ChartAxis y, IReadOnlyList<ChartSeries> series)
    {
        var svg = new StringBuilder();
        svg.Append(CultureInfo.InvariantCulture, $"<figure><figcaption>{Encode(title)}</figcaption>");
        if (series.Count > 1) AppendLegend(svg, series);
        svg.Append(CultureInfo.InvariantCulture, $"<svg viewBox=\"0 0 {Width} {Height}\" role=\"img\" aria-label=\"{Encode(title)}\">");
        AppendAxes(svg, x, y);
        for (int i = 0; i < series.Count; i++) AppendLine(svg, x, y, series[i], i);
        return svg.Append("</svg></figure>").ToString();
    }

    private static void AppendLegend(StringBuilder svg, IReadOnlyList<ChartSeries> series)
    {
        svg.Append("<div class=\"legend\">");
        for (int i = 0; i < series.Count; i++)
        {
            svg.Append(CultureInfo.InvariantCulture, $"<span><i class=\"b{i % Page.Colors}\"></i>{Encode(series[i].Name)}</span>");
        }

        svg.Append("</div>");
    }

    private static void AppendAxes(StringBuilder svg, ChartAxis x, ChartAxis y)
    {
        foreach (var (at, text) in y.Ticks)
        {
            double top = PlaceY(y, at);
            svg.Append(CultureInfo.InvariantCulture, $"<path class=\"grid\" d=\"M{Left} {top:0.0}H{Width - Right}\"/>");
            svg.Append(CultureInfo.InvariantCulture, $"<text x=\"{Left - 6}\" y=\"{top + 4:0.0}\" text-anchor=\"end\">{Encode(text)}</text>");
        }

        foreach (var (at, text) in x.Ticks)
            svg.Append(CultureInfo.InvariantCulture,
                $"<text x=\"{PlaceX(x, at):0.0}\" y=\"{Height - Bottom + 16}\" text-anchor=\"middle\">{Encode(text)}</text>");
        svg.Append(CultureInfo.InvariantCulture, $"<path class=\"axis\" d=\"M{Left} {Height - Bottom}H{Width - Right}\"/>");
        svg.Append(CultureInfo.InvariantCulture,
            $"<text x=\"{(Left + Width - Right) / 2}\" y=\"{Height - 6}\" text-anchor=\"middle\">{Encode(x.Title)}</text>");
        svg.Append(CultureInfo.InvariantCulture,
            $"<text transform=\"translate(12 {(Top + Height - Bottom) / 2}) rotate(-90)\" text-anchor=\"middle\">{Encode(y.Title)}</text>");
    }

    private static void AppendLine(StringBuilder svg, ChartAxis x, ChartAxis y, ChartSeries series, int index)
    {
        if (series.Points.Count == 0) return;
        int color = index % Page.Colors;
        svg.Append(CultureInfo.InvariantCulture, $"<path class=\"line c{color}\" d=\"");
        for (int i = 0; i < series.Points.Count; i++)
            svg.Append(CultureInfo.InvariantCulture, $"{(i == 0 ? 'M' : 'L')}{PlaceX(x, series.Points[i].X):0.0} {PlaceY(y, series.Points[i].Y):0.0}");
        svg.Append(CultureInfo.InvariantCulture, $"\"><title>{Encode(series.Name)}</title></path>");
        if (series.Points.Count > DotsUpTo) return;
        foreach (var (atX, atY) in series.Points)
        {
            svg.Append(CultureInfo.InvariantCulture, $"<circle class=\"dot f{color}\" cx=\"{PlaceX(x, atX):0.0}\" cy=\"{PlaceY(y, atY):0.0}\" r=\"3.5\">");
            svg.Append(CultureInfo.InvariantCulture, $"<title>{Encode(series.Name)}: {ChartAxis.Shorten(atY)} at {ChartAxis.Shorten(atX)}</title></circle>");
        }
    }

    private static double PlaceX(ChartAxis axis, double value) => Left + axis.Place(value) * (Width - Left - Right);

    private static double PlaceY(ChartAxis axis, double value) => Height - Bottom - axis.Place(value) * (Height - Top - Bottom);

    private static string Encode(string text) => WebUtility.HtmlEncode(text);
}
