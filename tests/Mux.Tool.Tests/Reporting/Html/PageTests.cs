using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Mux.Tool.Comparing;
using Mux.Tool.Load;
using Mux.Tool.Reporting.Html;
using Mux.Tool.Reporting.Results;
using Mux.Tool.Tests.Comparing;

namespace Mux.Tool.Tests.Reporting.Html;

public sealed partial class PageTests
{
    public static TheoryData<string> Pages => ["bench", "mixed", "runs", "capacity", "sweep", "compare"];

    [Theory]
    [MemberData(nameof(Pages))]
    public void A_page_needs_nothing_but_itself(string kind)
    {
        var text = Make(kind);

        Assert.DoesNotContain("<script", text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("http", text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("url(", text, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("@import", text, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("prefers-color-scheme:dark", text, StringComparison.Ordinal);
        Assert.Contains("name=\"viewport\"", text, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Pages))]
    public void Its_drawings_are_well_formed_and_stay_inside(string kind)
    {
        var drawings = Drawing().Matches(Make(kind)).Select(match => XElement.Parse(match.Value)).ToArray();

        Assert.NotEmpty(drawings);
        foreach (var drawing in drawings)
        {
            var box = drawing.Attribute("viewBox")!.Value.Split(' ').Select(double.Parse).ToArray();
            Assert.All(drawing.Elements("circle"), dot => Assert.InRange((double)dot.Attribute("cx")!, 0, box[2]));
            Assert.All(drawing.Elements("circle"), dot => Assert.InRange((double)dot.Attribute("cy")!, 0, box[3]));
            Assert.DoesNotContain("NaN", drawing.ToString(), StringComparison.Ordinal);
            Assert.DoesNotContain("\u221e", drawing.ToString(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void An_invalid_run_is_headed_by_a_banner()
    {
        var outcome = Outcomes.MakeOpen();
        var invalid = outcome with { Schedule = outcome.Schedule! with { InvalidBecause = ["calls <were> late"] } };

        Assert.Contains(">INVALID: calls &lt;were&gt; late<", Text(BenchPage.Of(ResultFile.Of(new BenchRuns([invalid])))), StringComparison.Ordinal);
    }

    [Fact]
    public void Bulk_has_tiles_of_its_own()
    {
        var text = Make("mixed");

        Assert.Contains("bulk, MB/s", text, StringComparison.Ordinal);
        Assert.Contains("bulk ahead, us", text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_spectrum_rises_from_the_first_bucket_to_the_largest_latency()
    {
        BucketEntry[] buckets = [new(1, 2, 90), new(2, 4, 9), new(8, 16, 1)];

        var points = Spectrum.Points(buckets);

        Assert.Equal((1, 1), points[0]);
        Assert.Equal((100, 16), points[^1]);
        Assert.Equal([1, 2, 4, 16], points.Select(point => point.Y));
        Assert.Equal(10, points[1].X, 1e-6);
        Assert.Equal(100, points[2].X, 1e-6);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(2_400_000)]
    [InlineData(0.001)]
    public void An_axis_from_zero_reaches_to_the_largest_value_in_a_few_round_steps(double largest)
    {
        var sut = ChartAxis.FromZero("calls", [largest]);

        Assert.True(sut.Max >= largest);
        Assert.InRange(sut.Ticks.Count, 2, 8);
        Assert.Equal((0, "0"), sut.Ticks[0]);
    }

    [Fact]
    public void A_logarithmic_axis_puts_equal_ratios_equally_far_apart()
    {
        var sut = ChartAxis.Log("us", [3, 2_000]);

        Assert.Equal(1, sut.Min);
        Assert.Equal(10_000, sut.Max);
        Assert.Equal(sut.Place(100) - sut.Place(10), sut.Place(1_000) - sut.Place(100), 1e-9);
    }

    private static string Make(string kind) => Text(kind switch
    {
        "bench" => BenchPage.Of(ResultFile.Of(new BenchRuns([Outcomes.MakeOpen()]))),
        "mixed" => BenchPage.Of(ResultFile.Of(new BenchRuns([Outcomes.MakeMixed(replies: 3, size: 4 << 20, seconds: 1)]))),
        "runs" => BenchPage.Of(ComparisonTests.Runs(100, 200, 300)),
        "capacity" => CapacityPage.Of(CapacityFile.Of(CapacityFileTests.Make(isAtLeast: true))),
        "sweep" => SweepPage.Of(SweepFileTests.Make()),
        _ => ComparisonPage.Of(Comparison.Of(ComparisonTests.Runs(100, 101, 99), ComparisonTests.Runs(50, 51, 49), 0.03)),
    });

    private static string Text(byte[] page) => Encoding.UTF8.GetString(page);

    [GeneratedRegex("<svg.*?</svg>", RegexOptions.Singleline)]
    private static partial Regex Drawing();
}
