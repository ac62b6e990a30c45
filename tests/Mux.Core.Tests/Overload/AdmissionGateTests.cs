using Mux.Engine;

namespace Mux.Core.Tests.Overload;

public sealed class AdmissionGateTests
{
    private readonly AdmissionGate _sut = new();

    [Fact]
    public void Nothing_is_refused_at_first()
    {
        Assert.Equal((false, 1.0, 0L), (_sut.IsCutting, _sut.Share, _sut.QueueTime));
        Assert.True(_sut.Admits(MuxCallPriority.Low, byte.MaxValue));
    }

    [Fact]
    public void Of_256_places_as_many_are_taken_as_the_cut_says()
    {
        _sut.Set(0.5, new AdmissionCut(256, 100, 0));

        Assert.True(_sut.IsCutting);
        Assert.Equal([256, 100, 0], new[] { MuxCallPriority.High, MuxCallPriority.Normal, MuxCallPriority.Low }.Select(TakenOf));
        Assert.Equal(256 - 100 + 256, _sut.Refused);
        Assert.Equal([256, 256, 256], new[] { MuxCallPriority.High, MuxCallPriority.Normal, MuxCallPriority.Low }.Select(_sut.TakeArrived));
        Assert.Equal(0, _sut.TakeArrived(MuxCallPriority.High));
    }

    [Fact]
    public void Nothing_is_refused_when_the_share_is_whole_again()
    {
        _sut.Set(0.5, new AdmissionCut(256, 100, 0));
        _sut.Set(1, AdmissionCut.Nothing);

        Assert.False(_sut.IsCutting);
    }

    [Theory]
    [InlineData(0, 20, 30)]
    [InlineData(50_000, 100, 150)]
    [InlineData(60_000_000, 5_000, 7_500)]
    public void A_refused_call_may_be_tried_again_after_two_to_three_queue_times(long queueTime, uint least, uint most)
    {
        _sut.SetTimes(queueTime, 0);

        var times = Enumerable.Range(0, 256).Select(spread => _sut.RetryAfterMilliseconds((byte)spread)).ToList();

        Assert.Equal(least, times.Min());
        Assert.InRange(times.Max(), most - most / 50 - 1, most);
    }

    [Fact]
    public void Requests_have_waited_half_a_round_of_their_loop()
    {
        _sut.SetTimes(9_000, 3_000);
        Assert.Equal(1_500, _sut.Delay);
    }

    private int TakenOf(MuxCallPriority priority) => Enumerable.Range(0, 256).Count(place => _sut.Admits(priority, (byte)place));
}
