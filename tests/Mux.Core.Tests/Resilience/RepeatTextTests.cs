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

/// <summary>What a call says that ended between two attempts, or was not sent again: what had refused it, how often and why.</summary>
public sealed class RepeatTextTests : IDisposable
{
    private const string Advice = "Make fewer calls with large requests concurrently, or raise the limit of the server.";

    private static readonly CallFailure s_unsent = new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect, "No connection.");
    private static readonly CallFailure s_lost = new(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait, "It was lost.");
    private static readonly CallFailure s_noMemory =
        new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch, "No memory.") { RetryAfterMilliseconds = 100, IsPause = true };

    private readonly ManualTime _time = new();
    private readonly Queue<CallFailure> _failures = [];
    private CallFailure? _asForwarded;
    private RepeatingRoute? _route;

    public void Dispose() => _route?.Dispose();

    [Fact]
    public async Task A_call_that_was_refused_until_its_deadline_says_by_what_how_often_for_how_long_and_what_to_change()
    {
        Refuse(s_noMemory, s_noMemory);
        var call = CallLarge(new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(315) }); // after pauses of 100.2 ms and of 200.4 ms
        await PassAsync(TimeSpan.FromMilliseconds(110), call);
        _time.Jump(TimeSpan.FromMilliseconds(210));
        _time.Advance(TimeSpan.Zero);

        var error = await FailAsync(call, MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Queue);
        Assert.StartsWith("test/Repeated at nowhere failed (DeadlineExceeded, not executed): The deadline passed before the call was sent again. " +
            $"It had been refused 2 times, most recently by nowhere, in the last 320 ms: No memory. {Advice} Allow more time: ", error.Message, StringComparison.Ordinal);
        Assert.Equal(2, _route!.Attempts);
    }

    [Fact]
    public async Task A_refused_call_with_too_little_time_for_another_pause_says_so()
    {
        Refuse(s_noMemory, s_noMemory);
        var call = CallLarge(new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(250) });
        _time.Advance(TimeSpan.FromMilliseconds(110));

        var error = await FailAsync(call, MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.EndsWith("No memory. The call was refused 2 times within 101 ms. It is not sent again, because its deadline comes before the end of the " +
            $"next pause. {Advice}", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_refused_call_for_which_the_budget_has_no_attempt_says_so()
    {
        Refuse([.. Enumerable.Repeat(s_noMemory with { IsPause = false }, 100)]);
        var calls = Enumerable.Range(0, 50).Select(_ => Call()).ToList();

        var error = await FailAsync(calls[^1], MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.EndsWith("No memory. It is not sent again, because the retry budget of the channel is empty.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_call_that_waited_for_a_server_until_its_deadline_says_why_none_was_reached_and_what_had_refused_it()
    {
        Refuse([s_noMemory, .. Enumerable.Repeat(s_unsent, 100)]);
        var call = CallLarge(new MuxCallOptions { WaitForReady = true, Timeout = TimeSpan.FromMilliseconds(500) });
        for (int i = 0; i < 60 && !call.IsCompleted; i++) await PassAsync(TimeSpan.FromMilliseconds(10), call);

        var error = await FailAsync(call, MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        Assert.Contains("The deadline passed while no server could be reached. The last attempt to connect: No connection. It had been refused once, by " +
            $"nowhere, in the last 501 ms: No memory. {Advice} Allow more time: ", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_call_that_failed_and_may_run_twice_says_at_its_deadline_how_it_had_failed()
    {
        Refuse(s_lost);
        var call = Call(new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(5) });
        _time.Jump(TimeSpan.FromMilliseconds(10));
        _time.Advance(TimeSpan.Zero);

        var error = await FailAsync(call, MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Queue);
        Assert.Contains("The deadline passed before the call was sent again. The attempt before had failed at nowhere (Unavailable): It was lost. Allow more",
            error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_refused_call_that_ends_with_its_channel_or_by_its_caller_says_what_had_refused_it()
    {
        const string Refusal = "It had been refused once, by nowhere, in the last 50 ms: No memory. " + Advice;
        Refuse(s_noMemory, s_noMemory);
        using var cancellation = new CancellationTokenSource();
        var (cancelled, left) = (CallLargeWith(cancellation.Token), CallLarge());
        _time.Advance(TimeSpan.FromMilliseconds(50));

        await cancellation.CancelAsync();
        _route!.Dispose();

        var cancel = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.Within("the end of the cancelled call"));
        Assert.EndsWith($"(Cancelled, not executed): The caller cancelled the call between two attempts. {Refusal}", cancel.Message, StringComparison.Ordinal);
        var error = await FailAsync(left, MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue);
        Assert.EndsWith($"The channel was disposed between two attempts. {Refusal}", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_client_of_a_gateway_is_told_of_a_refusal_and_not_by_which_server()
    {
        Refuse(s_noMemory, s_unsent with { Phase = MuxCallPhase.Queue });
        var call = CallLarge(new MuxCallOptions { Timeout = TimeSpan.FromSeconds(10) });
        await PassAsync(TimeSpan.FromMilliseconds(110), call);

        Assert.Equal($"No connection. It had been refused once, by the service, in the last 101 ms: No memory. {Advice}", _asForwarded!.Text);
    }

    [Fact]
    public async Task A_call_that_a_server_asks_to_wait_does_so_also_if_another_server_is_reached()
    {
        Refuse(s_noMemory);
        var call = CallLarge(new MuxCallOptions { WaitForReady = true });
        _route!.Repeats.OnReached();
        Assert.Equal((1, 1), (_route.Attempts, _route.Repeats.Held));
        await PassAsync(TimeSpan.FromMilliseconds(110), call);
        Assert.Equal(2, _route.Attempts);
    }

    private static async Task<MuxException> FailAsync(Task call, MuxStatus status, MuxExecution execution, MuxCallPhase phase)
    {
        var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure"));
        Assert.Equal((status, execution, phase), (error.Status, error.Execution, error.Phase));
        return error;
    }

    /// <summary>Lets time pass, and waits until the call waits again or is over.</summary>
    private async Task PassAsync(TimeSpan time, Task call)
    {
        _time.Advance(time);
        await Eventually.Holds(() => call.IsCompleted || _route!.Repeats.Held == 1, "the end of the next attempt");
    }

    private void Refuse(params CallFailure[] failures)
    {
        foreach (var failure in failures) _failures.Enqueue(failure);
        _route = Make();
    }

    private RepeatingRoute Make()
    {
        var options = new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport(), TimeProvider = _time };
        options.Resilience.Attempts = 3;
        var settings = EngineSettings.Of(options, NullLoggerFactory.Instance, MuxAddress.Parse("mux://memory:1"));
        return new RepeatingRoute(settings with { Random = new Least() }, hasOthers: false, End);
    }

    private CallFailure End(OutgoingCall call)
    {
        var failure = _failures.TryDequeue(out var next) ? next : new(MuxStatus.PermissionDenied, MuxExecution.Executed, MuxCallPhase.Handler, "Not yours.");
        if (call.Kept!.Last is not null) _asForwarded = OutgoingFailure.OverAttempts(_route!, call, failure, isForwarded: true);
        return failure;
    }

    /// <summary>Makes a call that may run twice.</summary>
    private Task Call(MuxCallOptions? options = null) =>
        NewCaller(new EmptyCodec("request")).CallAsync(default, options, TestContext.Current.CancellationToken).AsTask();

    /// <summary>Makes a call with a request that takes several frames.</summary>
    private Task CallLarge(MuxCallOptions? options = null) => CallLargeWith(TestContext.Current.CancellationToken, options);

    private Task CallLargeWith(CancellationToken token, MuxCallOptions? options = null) =>
        NewCaller(new RawCodec<byte[]>("request")).CallAsync(new byte[ProtocolConstants.MaxWholeBody + 1], options, token).AsTask();

    private UnaryCaller<T, MuxUnit> NewCaller<T>(MessageCodec<T> requests)
    {
        var descriptor = new MethodDescriptor("test", "Repeated", MethodShape.Unary, takesToken: false) { Choices = new MethodChoices { Idempotent = true } };
        return new(new UnaryMethod<T, MuxUnit>(descriptor, requests, new EmptyCodec("reply"), static (_, _, _, _) => default), _route!);
    }

    /// <summary>Makes pauses of 1.002 times what a server asks for, and of next to nothing if none does.</summary>
    private sealed class Least : Random
    {
        public override double NextDouble() => 0.01;
    }
}
