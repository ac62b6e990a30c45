using Mux.Tool.Load;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Load;

public sealed class LoadStateTests
{
    [Fact]
    public void A_deadline_that_the_run_gave_is_no_failure()
    {
        var sut = new LoadState(HandlerProfile.Plain, hasDeadline: true);

        sut.AddFailure(new MuxException(MuxStatus.DeadlineExceeded, "A test."));

        Assert.Equal(1, sut.Expired);
        Assert.Empty(sut.Failures());
    }

    [Fact]
    public void A_deadline_that_it_did_not_give_is_one()
    {
        var sut = new LoadState(HandlerProfile.Plain);

        sut.AddFailure(new MuxException(MuxStatus.DeadlineExceeded, "A test."));

        Assert.Equal(0, sut.Expired);
        Assert.Equal((MuxStatus.DeadlineExceeded, 1), (sut.Failures().Single().Key, sut.Failures().Single().Value));
    }

    [Theory]
    [InlineData(true, 1, 0)]
    [InlineData(false, 0, 1)]
    public void A_cancellation_is_a_failure_unless_the_run_asked_for_it(bool isCancelled, int cancelled, int failed)
    {
        var sut = new LoadState(HandlerProfile.Plain);

        sut.AddFailure(new OperationCanceledException(), isCancelled);

        Assert.Equal(cancelled, sut.Cancelled);
        Assert.Equal(failed, sut.Failures().Values.Sum());
    }

    [Fact]
    public void Being_told_of_a_cancellation_by_the_server_is_a_failure_whatever_the_run_asked_for()
    {
        var sut = new LoadState(HandlerProfile.Plain);

        sut.AddFailure(new MuxException(MuxStatus.Cancelled, "A test."), isCancelled: true);

        Assert.Equal(0, sut.Cancelled);
        Assert.Equal(MuxStatus.Cancelled, sut.Failures().Single().Key);
    }
}
