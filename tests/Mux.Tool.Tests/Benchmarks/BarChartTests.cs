using System.Globalization;
using System.Xml.Linq;
using Evidence.Statistics;
using SideBySide.Reporting;

namespace Mux.Tool.Tests.Benchmarks;

public sealed class BarChartTests
{
    private const double Width = 800;

    // A letter of the chart's font is about this wide; wider ones make up for narrower ones in texts.
    private const double LetterWidth = 6.6;

    private static readonly XNamespace s_svg = "http://www.w3.org/2000/svg";

    private static readonly ChartBand s_band = new(
        "10 connections, 200 calls in flight on each",
        new ChartPanel("calls per second, more is better", [new ChartBar("Mux", new Estimate(2_000_000, 1_800_000, 2_200_000), true), new ChartBar("A <stack> & more", new Estimate(500_000, 400_000, 550_000), false)]),
        new ChartPanel("microseconds of CPU per call, less is better", [new ChartBar("Mux", new Estimate(0.9, 0.9, 0.9), true), new ChartBar("A <stack> & more", new Estimate(12.34, 12, 13), false)]));

    [Fact]
    public void A_chart_is_one_well_formed_file_that_refers_to_no_other()
    {
        var root = Draw(ChartTheme.All[0]).Root!;

        Assert.Equal(s_svg + "svg", root.Name);
        Assert.DoesNotContain(root.DescendantsAndSelf(), element => element.Name.LocalName is "image" or "use" or "script" or "foreignObject" or "style");
        Assert.DoesNotContain(root.DescendantsAndSelf().Attributes(), attribute => attribute.Name.LocalName == "href");
    }

    [Fact]
    public void Bars_are_as_long_as_their_medians_on_the_axis_of_their_panel()
    {
        var lengths = Draw(ChartTheme.All[0]).Descendants(s_svg + "rect").Select(bar => Number(bar, "width")).ToArray();

        Assert.Equal(4, lengths[0] / lengths[1], 0.05);
        Assert.Equal(12.34 / 0.9, lengths[3] / lengths[2], 0.1);
    }

    [Fact]
    public void Each_bar_says_its_name_and_its_figure_as_it_is()
    {
        var texts = Draw(ChartTheme.All[0]).Descendants(s_svg + "text").Select(text => text.Value).ToArray();

        Assert.Contains("A <stack> & more", texts);
        Assert.Contains("2,000,000", texts);
        Assert.Contains("0.90", texts);
        Assert.Contains("12.3", texts);
        Assert.Equal(["the note", "the last line"], texts[^2..]);
    }

    [Fact]
    public void Nothing_reaches_over_the_edge_of_the_chart()
    {
        var chart = Draw(ChartTheme.All[0]);
        double height = Number(chart.Root!, "height");

        Assert.Equal(Width, Number(chart.Root!, "width"));
        Assert.All(chart.Descendants(s_svg + "text"), text =>
        {
            double x = Number(text, "x"), length = text.Value.Length * LetterWidth;
            Assert.InRange(x, text.Attribute("text-anchor") is null ? 0 : length, text.Attribute("text-anchor") is null ? Width - length : Width);
            Assert.InRange(Number(text, "y"), 0, height);
        });
        Assert.All(chart.Descendants(s_svg + "rect"), bar => Assert.InRange(Number(bar, "x") + Number(bar, "width"), 0, Width));
    }

    [Fact]
    public void An_interval_is_drawn_only_if_it_is_long_enough_to_be_seen() => Assert.Equal(3, Draw(ChartTheme.All[0]).Descendants(s_svg + "path").Count());

    [Fact]
    public void Light_and_dark_charts_differ_in_colours_alone()
    {
        var light = BarChart.Draw(ChartTheme.All[0], "title", [s_band], []);
        var dark = BarChart.Draw(ChartTheme.All[1], "title", [s_band], []);

        Assert.Equal(["light", "dark"], ChartTheme.All.Select(theme => theme.Name));
        Assert.NotEqual(light, dark);
        Assert.Equal(WithoutColours(light, ChartTheme.All[0]), WithoutColours(dark, ChartTheme.All[1]));
    }

    private static XDocument Draw(ChartTheme theme) => XDocument.Parse(BarChart.Draw(theme, "title", [s_band], ["the note", "the last line"]));

    private static double Number(XElement element, string name) => double.Parse(element.Attribute(name)!.Value, CultureInfo.InvariantCulture);

    private static string WithoutColours(string svg, ChartTheme theme)
    {
        foreach (var colour in (string[])[theme.Text, theme.Faint, theme.Own, theme.Other, theme.Whisker]) svg = svg.Replace(colour, "#", StringComparison.Ordinal);
        return svg;
    }
}
