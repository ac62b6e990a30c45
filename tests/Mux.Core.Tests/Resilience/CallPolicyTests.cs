using Mux.Calls;

namespace Mux.Core.Tests.Resilience;

public sealed class CallPolicyTests
{
    private static readonly FailedAttempt s_lost = new(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, 0);
    private static readonly FailedAttempt s_refused = new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch, 0);
    private static readonly FailedAttempt s_unsent = new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect, 0);

    private readonly CallPolicy _sut = new() { Attempts = 3 };

    [Fact]
    public void By_default_nothing_is_repeated_and_no_request_is_kept()
    {
        var sut = new CallPolicy();
        Assert.False(sut.IsOn);
        Assert.All([s_lost, s_refused, s_unsent], attempt => Assert.Equal(Repeat.None, sut.Judge(attempt, 1, 0, isIdempotent: true)));
    }

    [Theory]
    [InlineData(true, Repeat.Retry)]
    [InlineData(false, Repeat.None)]
    public void A_call_that_may_have_been_executed_is_repeated_only_if_it_is_idempotent(bool isIdempotent, object expected) =>
        Assert.Equal((Repeat)expected, _sut.Judge(s_lost, 1, 0, isIdempotent));

    [Fact]
    public void The_last_attempt_is_the_last() => Assert.Equal(Repeat.None, _sut.Judge(s_lost, 3, 0, isIdempotent: true));

    [Fact]
    public void A_refused_call_is_repeated_once_whether_or_not_it_is_idempotent()
    {
        Assert.Equal(Repeat.Refused, _sut.Judge(s_refused, 1, 0, isIdempotent: false));
        Assert.Equal(Repeat.None, _sut.Judge(s_refused, 2, 1, isIdempotent: true));
    }

    [Fact]
    public void Where_there_are_other_servers_a_refused_call_is_repeated_without_any_option()
    {
        var sut = new CallPolicy { RepeatsRefused = true };
        Assert.True(sut.IsOn);
        Assert.Equal(Repeat.Refused, sut.Judge(s_refused, 1, 0, isIdempotent: false));
        Assert.Equal(Repeat.None, sut.Judge(s_lost, 1, 0, isIdempotent: true));
    }

    [Fact]
    public void Where_there_are_other_servers_a_call_is_repeated_as_long_as_they_say_when_to_come_back()
    {
        var sut = new CallPolicy { RepeatsRefused = true };
        var timed = s_refused with { RetryAfterMilliseconds = 100 };
        Assert.Equal(Repeat.Refused, sut.Judge(timed, 32, 31, isIdempotent: false));
        Assert.Equal(Repeat.None, sut.Judge(timed, 33, 32, isIdempotent: false)); // half a minute
        Assert.Equal(Repeat.None, sut.Judge(s_refused, 2, 1, isIdempotent: false));
        Assert.Equal(Repeat.None, _sut.Judge(timed, 2, 1, isIdempotent: false)); // a lone server is the one that is full
    }

    [Theory]
    [InlineData(6, 5, Repeat.Retry)] // one refusal and the attempt that failed now
    [InlineData(7, 5, Repeat.None)] // another one that failed
    [InlineData(2, 1, Repeat.Retry)]
    [InlineData(3, 1, Repeat.None)]
    public void Of_the_refusals_of_a_call_only_the_first_counts_as_an_attempt(int made, int refusals, object expected)
    {
        var sut = _sut with { RepeatsRefused = true };
        Assert.Equal((Repeat)expected, sut.Judge(s_lost, made, refusals, isIdempotent: true));
        var ofUnsent = (Repeat)expected == Repeat.None ? Repeat.None : Repeat.Unsent;
        Assert.Equal(ofUnsent, sut.Judge(s_unsent, made, refusals, isIdempotent: false));
    }

    [Fact]
    public void A_call_of_which_nothing_was_sent_is_repeated() => Assert.Equal(Repeat.Unsent, _sut.Judge(s_unsent, 2, 0, isIdempotent: false));

    [Fact]
    public void Only_the_statuses_of_the_method_are_repeated()
    {
        var sut = _sut with { Statuses = [MuxStatus.Aborted] };
        var aborted = new FailedAttempt(MuxStatus.Aborted, MuxExecution.Executed, MuxCallPhase.Handler, 0);
        Assert.Equal([MuxStatus.Aborted], sut.Statuses);
        Assert.Equal(Repeat.Retry, sut.Judge(aborted, 1, 0, isIdempotent: true));
        Assert.Equal(Repeat.None, _sut.Judge(aborted, 1, 0, isIdempotent: true));
        Assert.Equal(Repeat.None, sut.Judge(s_lost, 1, 0, isIdempotent: true));
    }

    [Fact]
    public void A_server_can_forbid_that_a_call_comes_back()
    {
        Assert.Equal(Repeat.None, _sut.Judge(s_refused with { RetryAfterMilliseconds = RetryPause.NeverHint }, 1, 0, isIdempotent: true));
        Assert.Equal(Repeat.None, _sut.Judge(s_lost with { RetryAfterMilliseconds = RetryPause.NeverHint }, 1, 0, isIdempotent: true));
    }

    [Theory]
    [InlineData(MuxStatus.Unauthenticated, MuxCallPhase.Connect)]
    [InlineData(MuxStatus.ResourceExhausted, MuxCallPhase.Queue)]
    [InlineData(MuxStatus.ResourceExhausted, MuxCallPhase.Encode)]
    [InlineData(MuxStatus.Unimplemented, MuxCallPhase.Dispatch)]
    public void What_another_attempt_would_not_change_is_not_repeated(MuxStatus status, MuxCallPhase phase) =>
        Assert.Equal(Repeat.None, _sut.Judge(new FailedAttempt(status, MuxExecution.NotExecuted, phase, 0), 1, 0, isIdempotent: true));
}
