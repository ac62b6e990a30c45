using Mux.Tool.Load;
using Mux.Tool.Measuring;
using Mux.Tool.Tests.Reporting;

namespace Mux.Tool.Tests.Load;

public sealed class ValidityTests
{
    private static readonly LatencyHistogram s_punctual = Outcomes.Make(50_000, 80_000).Latencies;

    [Fact]
    public void A_run_that_kept_its_schedule_is_valid() => Assert.Empty(Reasons(made: 9_950, replies: 9_920));

    [Fact]
    public void Too_few_calls_made_are_the_generators_fault() => Assert.Equal(["only 98.0% of the target rate was made"], Reasons(made: 9_800, replies: 9_800));

    [Fact]
    public void Too_few_replies_are_told_as_such() => Assert.Equal(["only 50.0% of the target rate was answered"], Reasons(made: 10_000, replies: 5_000));

    [Fact]
    public void A_single_dropped_call_is_too_many() => Assert.Equal(["1 calls dropped, too many were open"], Reasons(made: 9_999, replies: 9_999, dropped: 1));

    [Fact]
    public void A_lag_above_the_bound_is_told_with_the_bound() =>
        Assert.Equal("calls made late, lag p99 5,002 us of at most 1,000 us", Assert.Single(Reasons(made: 10_000, replies: 10_000, lag: Outcomes.Make(5_000_000).Latencies)));

    /// <summary>Of 10 seconds at 1,000 calls per second.</summary>
    private static IReadOnlyList<string> Reasons(long made, long replies, long dropped = 0, LatencyHistogram? lag = null) =>
        Validity.Reasons(1_000, TimeSpan.FromSeconds(10), new LaneCounts(made, dropped, Open: 0), replies, lag ?? s_punctual, TimeSpan.FromMilliseconds(1));
}
