using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Overload;

public sealed class AdmissionCutTests
{
    private const int All = AdmissionCut.All;

    [Fact]
    public void Low_priority_is_cut_first_and_high_priority_last()
    {
        Assert.Equal(new AdmissionCut(All, All, All / 2), AdmissionCut.Of(0.75, 25, 25, 50));
        Assert.Equal(new AdmissionCut(All, All, 0), AdmissionCut.Of(0.5, 25, 25, 50));
        Assert.Equal(new AdmissionCut(All, All / 2, 0), AdmissionCut.Of(0.5, 25, 50, 25));
        Assert.Equal(new AdmissionCut(All / 2, 0, 0), AdmissionCut.Of(0.1, 20, 40, 40));
    }

    [Fact]
    public void Calls_count_as_normal_before_any_was_seen() => Assert.Equal(new AdmissionCut(All, All / 2, 0), AdmissionCut.Of(0.5, 0, 0, 0));

    [Fact]
    public void A_priority_of_which_no_call_came_is_taken_if_the_next_one_is()
    {
        Assert.Equal(new AdmissionCut(All, All, All / 2), AdmissionCut.Of(0.5, 0, 0, 100));
        Assert.Equal(new AdmissionCut(All / 2, 0, 0), AdmissionCut.Of(0.5, 100, 0, 0));
    }

    [Fact]
    public void The_whole_share_refuses_nothing() => Assert.Equal(AdmissionCut.Nothing, AdmissionCut.Of(1, 1, 2, 3));

    [Fact]
    public void The_level_has_a_third_for_each_priority()
    {
        Assert.Equal(LeaseFrame.MostLevel, AdmissionCut.MostLevel);
        Assert.Equal(63, AdmissionCut.Nothing.Level);
        Assert.Equal(62, new AdmissionCut(All, All, All - 1).Level);
        Assert.Equal(43, new AdmissionCut(All, All, 1).Level);
        Assert.Equal(42, new AdmissionCut(All, All, 0).Level);
        Assert.Equal(41, new AdmissionCut(All, All - 1, 0).Level);
        Assert.Equal(21, new AdmissionCut(All, 0, 0).Level);
        Assert.Equal(1, new AdmissionCut(1, 0, 0).Level);
    }

    [Fact]
    public void Whatever_came_the_share_is_kept_and_no_call_is_refused_before_all_of_a_lower_priority()
    {
        var random = new Random(TestSeed.Next());
        for (int round = 0; round < 10_000; round++)
        {
            var (high, normal, low) = (random.Next(1_000), random.Next(1_000), random.Next(1_000));
            double share = AdmissionLevel.LeastShare + random.NextDouble() * (1 - AdmissionLevel.LeastShare);
            var cut = AdmissionCut.Of(share, high, normal, low);

            double taken = (high * cut.High + normal * cut.Normal + low * cut.Low) / (double)All;
            if (high + normal + low > 0) Assert.InRange(taken / (high + normal + low), share - 1e-9, share + 1.0 / All + 1e-9);
            if (cut.Normal > 0) Assert.Equal(All, cut.High);
            if (cut.Low > 0) Assert.Equal((All, All), (cut.High, cut.Normal));
            Assert.InRange(cut.Level, 0, AdmissionCut.MostLevel);
        }
    }

    [Fact]
    public void A_level_refuses_all_calls_of_the_priorities_of_which_its_cut_takes_none()
    {
        foreach (int part in (int[])[0, 1, 128, AdmissionCut.All])
        {
            foreach (var cut in (AdmissionCut[])[new(part, 0, 0), new(AdmissionCut.All, part, 0), new(AdmissionCut.All, AdmissionCut.All, part)])
            {
                foreach (var priority in Enum.GetValues<MuxCallPriority>()) Assert.Equal(cut.Of(priority) == 0, AdmissionCut.RefusesAll(cut.Level, priority));
            }
        }
    }
}
