using Mux.Tool.Load;
using Mux.Tool.Measuring;
using Mux.Tool.Reporting;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Reporting;

public sealed class SummaryTests
{
    private const long Minute = 60_000_000_000;

    [Fact]
    public void It_fits_a_terminal_of_80_columns_and_24_lines_whatever_the_figures() => AssertFits(Huge());

    [Fact]
    public void It_fits_with_every_kind_of_error() => AssertFits(Huge() with
    {
        WrongReplies = 1_000_000,
        LostReplies = 1_000_000,
        ProtocolErrors = 1024,
        Failures = Enum.GetValues<MuxStatus>().Skip(1).Take(4).ToDictionary(status => status, _ => 1_000_000L),
    });

    [Fact]
    public void It_fits_for_an_invalid_open_loop_with_slow_replies()
    {
        var huge = Huge();
        AssertFits(Outcomes.MakeOpen() with
        {
            Latencies = huge.Latencies,
            Schedule = Outcomes.MakeOpen().Schedule! with
            {
                Made = 1_000_000_000,
                Dropped = 1_000_000_000,
                Service = huge.Latencies,
                Lag = huge.Latencies,
                InvalidBecause = ["only 98.0% of the target rate was made", "1,000,000,000 calls dropped, too many were open", "calls made late, lag p99 60,000,000 us of at most 1,000 us"],
            },
        });
    }

    [Fact]
    public void The_cost_of_a_server_that_is_not_known_is_replaced_by_the_reason()
    {
        var huge = Huge() with { Server = null, ServerUnknown = "the server that reports answered 1,000,000,000 of 1,000,000,000" };
        AssertFits(huge);
        Assert.Contains(Summary.Lines(huge), line => line == $"server     n/a: {huge.ServerUnknown}");
    }

    [Fact]
    public void It_fits_with_bulk_beside_the_calls()
    {
        var huge = Huge();
        var mixed = Outcomes.MakeMixed(replies: 1, size: 16 << 20, seconds: 1);
        AssertFits(mixed with { Latencies = huge.Latencies, Bulk = mixed.Bulk! with { Latencies = huge.Latencies, Size = 16 << 20, Connections = 1024 } });
    }

    [Fact]
    public void Streams_without_an_end_are_told_by_their_items()
    {
        var none = Outcomes.Make();
        var outcome = none with
        {
            Elapsed = TimeSpan.FromSeconds(2),
            Items = new ItemsOutcome(Received: 3_000, Sent: null, Outcomes.Make(5_000).Latencies, TimeSpan.FromSeconds(2)),
            Calls = new CallOutcomes(Made: 4, Answered: 0, Failed: 0, DeadlineExceeded: 0, Cancelled: 0, Lost: 0) { Cut = 4 },
        };
        AssertFits(outcome);
        var lines = Summary.Lines(outcome).ToArray();
        Assert.Contains("received 1,500 items/s, streams open at the end: 4", lines);
        Assert.Contains(lines, line => line.StartsWith("first item ", StringComparison.Ordinal));
        Assert.DoesNotContain(lines, line => line.StartsWith("No calls", StringComparison.Ordinal));
        Assert.Equal(0, outcome.Errors);
    }

    [Fact]
    public void It_fits_with_outcomes_of_every_kind()
    {
        var huge = Huge();
        AssertFits(huge with
        {
            Configuration = huge.Configuration with { Deadline = TimeSpan.FromHours(1), CancelShare = 0.9 },
            Calls = new CallOutcomes(Made: 999_900_000_000, Answered: 0, Failed: 0, DeadlineExceeded: 999_900_000_000, Cancelled: 0, Lost: 0) { CancelsChosen = 999_900_000_000 },
        });
    }

    [Theory]
    [InlineData(nameof(Workload.ServerStream), "items/s", "an item and the next one")]
    [InlineData(nameof(Workload.ClientStream), "items/s", "an item and the next one")]
    [InlineData(nameof(Workload.Duplex), "pairs/s", "to the arrival of its answer")]
    [InlineData(nameof(Workload.BulkStream), "pairs/s", "to the arrival of its answer")]
    [InlineData(nameof(Workload.Bulk), "calls/s", "Closed loop")]
    public void It_tells_what_is_counted_and_what_the_percentiles_are_of(string name, string unit, string closing)
    {
        var workload = Enum.Parse<Workload>(name);
        var outcome = Outcomes.Make(1_000);

        var sut = outcome with { Configuration = outcome.Configuration with { Workload = workload, Window = WorkloadTraits.Of(workload).Window } };

        AssertFits(sut);
        var text = string.Join('\n', Summary.Lines(sut));
        Assert.Contains(unit, text, StringComparison.Ordinal);
        Assert.Contains(closing, text, StringComparison.Ordinal);
        Assert.Equal(WorkloadTraits.Of(workload).IsBulk, text.Contains("MB/s each way", StringComparison.Ordinal));
    }

    [Fact]
    public void An_invalid_run_says_so_and_why_before_any_number()
    {
        var outcome = Outcomes.MakeOpen();

        var lines = Summary.Lines(outcome with { Schedule = outcome.Schedule! with { InvalidBecause = ["the moon was full"] } });

        Assert.Equal("INVALID (the moon was full)", lines.First());
    }

    [Fact]
    public void Failed_calls_are_told_by_status()
    {
        var failures = new Dictionary<MuxStatus, long> { [MuxStatus.Unavailable] = 200, [MuxStatus.Internal] = 3 };

        var text = string.Join('\n', Summary.Lines(Outcomes.Make(1_000) with { Failures = failures }));

        Assert.Contains("errors: failed 203", text, StringComparison.Ordinal);
        Assert.Contains("Unavailable 200, Internal 3", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_server_that_does_not_tell_its_figures_has_none()
    {
        var lines = Summary.Lines(Outcomes.Make(1_000) with { Server = null });

        Assert.Contains(lines, line => line.StartsWith("server", StringComparison.Ordinal) && line.Contains("n/a", StringComparison.Ordinal));
    }

    [Fact]
    public void Hand_offs_are_told_where_handlers_are_made_to_keep_threads() =>
        Assert.Contains(Summary.Lines(Outcomes.MakeOpen()), line => line.EndsWith("   hand-offs: client 0, server 0", StringComparison.Ordinal));

    [Fact]
    public void Hand_offs_have_a_line_of_their_own_where_the_rate_leaves_no_room_for_them()
    {
        var outcome = Outcomes.Make([.. Enumerable.Repeat(1_000L, 10)]);

        var lines = Summary.Lines(outcome with
        {
            Configuration = outcome.Configuration with { TimeEvery = 1_000 },
            Elapsed = TimeSpan.FromTicks(1),
            Client = outcome.Client with { TakeOvers = 123 },
        }).ToList();

        Assert.Contains("100,000,000 calls/s   10 calls, one in 1000 timed", lines);
        Assert.Contains(lines, line => line.StartsWith("hand-offs: client 123, server ", StringComparison.Ordinal));
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 80));
    }

    [Fact]
    public void Hand_offs_are_told_wherever_there_were_any()
    {
        var outcome = Outcomes.Make(1_000);

        var lines = Summary.Lines(outcome with { Client = outcome.Client with { TakeOvers = 3 }, Server = null });

        Assert.Contains(lines, line => line.EndsWith("   hand-offs: client 3, server n/a", StringComparison.Ordinal));
        Assert.DoesNotContain(Summary.Lines(outcome), line => line.Contains("hand-offs", StringComparison.Ordinal));
    }

    [Fact]
    public void It_says_that_the_loop_was_closed_and_what_that_means() =>
        Assert.Contains("Closed loop: each call waits for the reply to the previous call", string.Join(' ', Summary.Lines(Outcomes.Make(1_000))), StringComparison.Ordinal);

    [Fact]
    public void A_run_that_ended_before_it_measured_prints_no_tables_of_zeros()
    {
        var lines = Summary.Lines(Outcomes.Make() with { Elapsed = TimeSpan.Zero }).ToArray();

        Assert.Contains(lines, line => line.StartsWith("No calls were measured.", StringComparison.Ordinal));
        Assert.DoesNotContain(lines, line => line.StartsWith("Latency", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(9_999_999, "9,999,999")]
    [InlineData(10_000_000, "10.0 M")]
    [InlineData(9_999_900_000, "9,999.9 M")]
    [InlineData(123_456_000_000, "123.5 G")]
    public void Long_counts_are_shortened(long count, string text) => Assert.Equal(text, Quantity.Compact(count));

    private static void AssertFits(BenchOutcome outcome)
    {
        var lines = Summary.Lines(outcome).ToArray();
        Assert.InRange(lines.Length, 10, 23); // and the prompt
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 80));
    }

    /// <summary>20 million calls of up to a minute.</summary>
    private static BenchOutcome Huge()
    {
        var histogram = new LatencyHistogram();
        var recorder = new LatencyRecorder();
        for (int i = 0; i < 100_000; i++) recorder.Record(Minute / 100_000 * i);
        for (int i = 0; i < 200; i++) histogram.Add(recorder);
        var usage = new ProcessUsage(1e15, 1_000_000_000_000_000, 1_000_000, 100_000, 10_000, 1_000_000_000, 1_000_000) { TakeOvers = 1_000_000_000 };
        return Outcomes.Make(1) with { Latencies = histogram, Client = usage, Server = usage };
    }
}
