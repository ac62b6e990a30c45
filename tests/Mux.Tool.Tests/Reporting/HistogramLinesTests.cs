using Mux.Tool.Reporting;

namespace Mux.Tool.Tests.Reporting;

public sealed class HistogramLinesTests
{
    [Fact]
    public void Every_reply_is_in_a_line_and_the_longest_bar_is_of_the_most()
    {
        var latencies = Outcomes.Make([.. Enumerable.Repeat(1_500L, 60), .. Enumerable.Repeat(3_000L, 30), .. Enumerable.Repeat(150_000L, 10)]).Latencies;

        var lines = HistogramLines.Of(latencies).ToArray();

        Assert.Matches("^    1 us - 2 us      60.00 %  #{38} +60$", lines[2]);
        Assert.Matches("^    2 us - 5 us      30.00 %  #{19} +30$", lines[3]);
        Assert.Matches("^  100 us - 200 us    10.00 %  #{6} +10$", lines[^1]);
        Assert.Equal(2 + 7, lines.Length); // the ones between are shown, too
    }

    [Fact]
    public void It_fits_a_terminal_whatever_the_range()
    {
        var lines = HistogramLines.Of(Outcomes.Make(25, 1_000, 1_000_000, 100_000_000_000).Latencies).ToArray();

        Assert.InRange(lines.Length, 5, 14);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public void Without_replies_there_is_none() => Assert.Empty(HistogramLines.Of(Outcomes.Make().Latencies));
}
