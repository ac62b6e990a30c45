using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Resilience;

/// <summary>Which failed attempts of a channel are sent again, and what that costs. With several servers, if a test does not say otherwise.</summary>
public sealed class CallRepeatsTests : IDisposable
{
    private static readonly CallFailure s_unsent = new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect, "No connection.");
    private static readonly CallFailure s_refused = new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Dispatch, "It drains.");
    private static readonly CallFailure s_noMemory =
        new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch, "No memory.") { RetryAfterMilliseconds = 100, IsPause = true };

    private static readonly CallFailure s_last = new(MuxStatus.PermissionDenied, MuxExecution.Executed, MuxCallPhase.Handler, "Not yours.");

    private readonly List<string?> _avoided = [];
    private readonly List<double> _secondsLeft = [];
    private readonly List<bool> _isRetry = [];
    private readonly ManualTime _time = new();
    private RepeatingRoute _route;
    private CallFailure _first = s_refused;
    private CallFailure _next = s_last;
    private bool _isCancelled;
    private int _firstTimes = 1; // that the first failure comes

    public CallRepeatsTests() => _route = Make(hasOthers: true);

    public void Dispose() => _route.Dispose();

    [Fact]
    public async Task What_was_never_sent_costs_no_budget_and_what_was_refused_costs_an_attempt()
    {
        _first = s_unsent;
        for (int call = 1; call <= 30; call++) Assert.Equal(2, await CallAsync());
        Assert.Equal(RetryBudget.Floor, _route.Repeats.BudgetLeft);
        _first = s_refused;
        for (int call = 1; call <= RetryBudget.Floor; call++) Assert.Equal(2, await CallAsync());
        Assert.Equal(0, _route.Repeats.BudgetLeft);
        Assert.Equal(1, await CallAsync());
    }

    [Fact]
    public async Task A_refused_call_goes_to_another_server_at_once_whatever_time_the_first_one_asks_for()
    {
        _first = s_refused with { RetryAfterMilliseconds = 3_600_000 };
        Assert.Equal(2, await CallAsync());
        Assert.Equal([null, "nowhere"], _avoided);
    }

    [Fact]
    public async Task A_call_that_two_servers_refuse_has_failed()
    {
        _next = s_refused;
        Assert.Equal(2, await CallAsync());
    }

    [Fact]
    public async Task A_call_that_its_caller_has_cancelled_is_not_sent_again_although_it_failed_before()
    {
        _isCancelled = true;
        Assert.Equal(1, await CallAsync());
    }

    [Fact]
    public async Task What_the_caller_or_its_deadline_has_ended_is_not_sent_again_whatever_the_statuses_are()
    {
        _first = new(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, "The time is over.") { IsOwnDeadline = true };
        Assert.Equal(1, await CallAsync());
        _first = new(MuxStatus.Cancelled, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, "The caller cancelled.", IsCallerCancel: true);
        Assert.Equal(1, await CallAsync());
    }

    [Fact]
    public async Task Calls_that_wait_are_sent_in_the_order_of_their_times()
    {
        _route.Dispose();
        _route = Make(hasOthers: false);
        _first = s_refused with { RetryAfterMilliseconds = 60_000 };
        var late = Call();
        _first = s_refused with { RetryAfterMilliseconds = 1_000 };
        var soon = Call();
        Assert.Equal((2, 2), (_route.Attempts, _route.Repeats.Held));

        _time.Advance(TimeSpan.FromSeconds(1.3));
        await Assert.ThrowsAsync<MuxException>(() => soon.Within("the second attempt of the later call"));
        Assert.Equal((3, false), (_route.Attempts, late.IsCompleted));
        _time.Advance(TimeSpan.FromSeconds(72));
        await Assert.ThrowsAsync<MuxException>(() => late.Within("the second attempt of the first call"));
    }

    [Fact]
    public async Task A_call_that_has_waited_is_sent_with_the_time_that_is_left()
    {
        _route.Dispose();
        _route = Make(hasOthers: false);
        _first = s_refused with { RetryAfterMilliseconds = 1_000 };
        var call = Call(new MuxCallOptions { Timeout = TimeSpan.FromSeconds(10) });
        _time.Advance(TimeSpan.FromSeconds(3));
        await Assert.ThrowsAsync<MuxException>(() => call.Within("the second attempt"));
        Assert.Equal((2, 10), (_secondsLeft.Count, _secondsLeft[0]));
        Assert.InRange(_secondsLeft[1], 8.7, 9); // after a pause of 1 to 1.2 s
    }

    [Fact]
    public async Task A_call_is_a_retry_for_its_server_if_another_attempt_was_sent()
    {
        _first = s_unsent;
        await CallAsync();
        _first = s_refused;
        await CallAsync();
        Assert.Equal([false, false, false, true], _isRetry);
    }

    [Fact]
    public async Task A_call_that_waits_for_a_server_is_tried_once_at_once_then_after_pauses_and_keeps_no_list()
    {
        (_first, _firstTimes) = (s_unsent, 6);
        var call = Call(new MuxCallOptions { WaitForReady = true });
        Assert.Equal((2, 1), (_route.Attempts, _route.Repeats.Held));
        _time.Advance(TimeSpan.FromSeconds(10)); // a second each, at most

        var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the last failure"));
        Assert.Equal((7, "Not yours."), (_route.Attempts, error.Message));
        Assert.Empty(error.Attempts);
    }

    [Fact]
    public async Task A_call_that_begins_to_wait_while_a_server_is_reached_is_sent_at_once()
    {
        _route.Dispose();
        _route = Make(hasOthers: false, new Meanwhile(() => _route.Repeats.OnReached())); // between the look for a server and the wait for one
        (_first, _firstTimes) = (s_unsent, 2);

        var call = Call(new MuxCallOptions { WaitForReady = true });

        await Assert.ThrowsAsync<MuxException>(() => call.Within("the last attempt, without a pause"));
        Assert.Equal((3, 0), (_route.Attempts, _route.Repeats.Held));
    }

    [Fact]
    public async Task A_call_that_a_server_has_no_memory_for_is_sent_after_the_pause_without_a_charge_a_mark_or_a_list()
    {
        _route.Dispose();
        _route = Make(hasOthers: false);
        (_first, _firstTimes) = (s_noMemory, 5);
        var call = CallLarge(new MuxCallOptions { Timeout = TimeSpan.FromSeconds(10) });
        _time.Advance(TimeSpan.FromMilliseconds(99));
        Assert.Equal((1, 1), (_route.Attempts, _route.Repeats.Held));

        for (int pause = 0; pause < 5; pause++) await PassAsync(TimeSpan.FromSeconds(1.2), call);

        var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the last failure"));
        Assert.Equal((6, "Not yours.", RetryBudget.Floor), (_route.Attempts, error.Message, _route.Repeats.BudgetLeft));
        Assert.Empty(error.Attempts);
        Assert.DoesNotContain(true, _isRetry);
    }

    [Fact]
    public async Task A_call_that_a_server_has_no_memory_for_tries_another_one_at_once_and_then_waits()
    {
        (_first, _firstTimes) = (s_noMemory, 2);
        var call = CallLarge();
        Assert.Equal((2, 1), (_route.Attempts, _route.Repeats.Held));

        _time.Advance(TimeSpan.FromSeconds(1));
        await Assert.ThrowsAsync<MuxException>(() => call.Within("the last failure"));
        Assert.Equal(3, _route.Attempts);
    }

    [Theory]
    [InlineData(5.0, 5.0)]
    [InlineData(null, 40.0)]
    public async Task A_call_that_no_server_ever_has_memory_for_fails_by_its_deadline_or_after_half_a_minute(double? seconds, double latest)
    {
        _route.Dispose();
        _route = Make(hasOthers: false);
        (_first, _firstTimes) = (s_noMemory, int.MaxValue);
        var call = CallLarge(seconds is { } limit ? new MuxCallOptions { Timeout = TimeSpan.FromSeconds(limit) } : null);
        double passed = 0;
        for (; passed <= latest && !call.IsCompleted; passed += 0.1) await PassAsync(TimeSpan.FromSeconds(0.1), call);

        var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure"));
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (error.Status, error.Execution));
        Assert.InRange(passed, seconds is null ? 25 : 3, latest);
    }

    [Fact]
    public async Task Without_the_mark_of_the_server_or_if_it_may_not_be_sent_again_a_refused_call_fails()
    {
        _route.Dispose();
        _route = Make(hasOthers: false);
        (_first, _firstTimes) = (s_noMemory, int.MaxValue);
        Assert.True(CallLarge(new MuxCallOptions { Retries = false, WaitForReady = true }).IsFaulted);
        Assert.Equal(1, _route.Attempts);

        _first = s_noMemory with { IsPause = false };
        var call = CallLarge();
        await PassAsync(TimeSpan.FromSeconds(1), call);
        await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure"));
        Assert.Equal(3, _route.Attempts); // once more, as its policy says
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)] // without a place for its handler
    public async Task A_small_call_that_two_servers_are_too_full_for_waits_as_long_as_they_ask_each_time_for_a_charge(bool isPause)
    {
        (_first, _firstTimes) = (s_noMemory with { IsPause = isPause }, 4);
        var call = Call(new MuxCallOptions { Timeout = TimeSpan.FromSeconds(10) });
        Assert.Equal((2, 1), (_route.Attempts, _route.Repeats.Held));
        _time.Advance(TimeSpan.FromMilliseconds(99));
        Assert.Equal(2, _route.Attempts);

        await PassAsync(TimeSpan.FromMilliseconds(22), call);
        Assert.Equal(3, _route.Attempts);
        _time.Advance(TimeSpan.FromMilliseconds(150)); // the next pause is twice as long
        Assert.Equal(3, _route.Attempts);
        await PassAsync(TimeSpan.FromMilliseconds(100), call);
        await PassAsync(TimeSpan.FromSeconds(0.5), call);

        var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the last failure"));
        Assert.Equal((5, "Not yours.", RetryBudget.Floor - 4), (_route.Attempts, error.Message, _route.Repeats.BudgetLeft));
        Assert.Equal(5, error.Attempts.Count);
    }

    [Fact]
    public async Task Small_calls_that_all_servers_are_too_full_for_are_sent_again_no_more_often_than_the_budget_allows()
    {
        (_first, _firstTimes) = (s_noMemory, int.MaxValue);
        var calls = Enumerable.Range(0, 100).Select(_ => Call()).ToList();
        for (int second = 0; second < 60; second++) _time.Advance(TimeSpan.FromSeconds(1));

        foreach (var call in calls) await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure"));
        Assert.InRange(_route.Attempts, 110, 100 + 10 + RetryBudget.Floor); // in ten seconds: a tenth, and the floor
        Assert.Equal(0, _route.Repeats.Held);
    }

    [Fact]
    public async Task A_small_call_whose_deadline_comes_before_servers_want_it_again_fails_with_their_refusal()
    {
        (_first, _firstTimes) = (s_noMemory, int.MaxValue);
        var error = await Assert.ThrowsAsync<MuxException>(() => Call(new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(90) }).Within("the failure"));
        Assert.Equal((2, MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (_route.Attempts, error.Status, error.Execution));
    }

    [Fact]
    public async Task After_the_end_of_the_channel_nothing_is_sent_again()
    {
        _route.Dispose();
        Assert.Equal(1, await CallAsync());
    }

    /// <summary>Lets time pass, and waits until the call waits again or is over.</summary>
    private async Task PassAsync(TimeSpan time, Task call)
    {
        _time.Advance(time);
        await Eventually.Holds(() => call.IsCompleted || _route.Repeats.Held == 1, "the end of the next attempt");
    }

    private RepeatingRoute Make(bool hasOthers, Random? random = null)
    {
        var options = new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport(), TimeProvider = _time };
        options.Resilience.Attempts = 3;
        options.Resilience.Methods["test/Repeated"] = new() { Statuses = [MuxStatus.Unavailable, MuxStatus.DeadlineExceeded, MuxStatus.Cancelled] };
        var settings = EngineSettings.Of(options, NullLoggerFactory.Instance, MuxAddress.Parse("mux://memory:1"));
        return new RepeatingRoute(random is null ? settings : settings with { Random = random }, hasOthers, End);
    }

    private CallFailure End(OutgoingCall call)
    {
        _avoided.Add(call.Kept!.Avoided);
        _secondsLeft.Add((call.Due - call.StartedAt) / 1e6);
        _isRetry.Add((call.Options & RequestOptions.Retry) != 0);
        if (_isCancelled) call.CancelRequested = true;
        return call.Kept.Repeats < _firstTimes ? _first : _next;
    }

    /// <summary>Makes a call, and returns the number of its attempts.</summary>
    private async Task<int> CallAsync()
    {
        int before = _route.Attempts;
        var error = await Record.ExceptionAsync(() => Call().Within("the failure"));
        Assert.True(error is MuxException or OperationCanceledException, $"The call has not failed: {error}");
        return _route.Attempts - before;
    }

    /// <summary>Makes a call that may run twice.</summary>
    private Task Call(MuxCallOptions? options = null) => NewCaller().CallAsync(default, options, TestContext.Current.CancellationToken).AsTask();

    /// <summary>Makes a call with a request that takes several frames.</summary>
    private Task CallLarge(MuxCallOptions? options = null) => NewCaller(new RawCodec<byte[]>("request"))
        .CallAsync(new byte[ProtocolConstants.MaxWholeBody + 1], options, TestContext.Current.CancellationToken).AsTask();

    private UnaryCaller<MuxUnit, MuxUnit> NewCaller() => NewCaller(new EmptyCodec("request"));

    private UnaryCaller<T, MuxUnit> NewCaller<T>(MessageCodec<T> requests)
    {
        var descriptor = new MethodDescriptor("test", "Repeated", MethodShape.Unary, takesToken: false) { Choices = new MethodChoices { Idempotent = true } };
        var method = new UnaryMethod<T, MuxUnit>(descriptor, requests, new EmptyCodec("reply"), static (_, _, _, _) => default);
        return new UnaryCaller<T, MuxUnit>(method, _route);
    }

    /// <summary>Random numbers, and what happens while a pause is computed.</summary>
    private sealed class Meanwhile(Action happens) : Random(1)
    {
        public override double NextDouble()
        {
            happens();
            return base.NextDouble();
        }
    }
}
