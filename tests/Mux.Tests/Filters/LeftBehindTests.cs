using Mux.Filters;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.Filters;

/// <summary>Filters that end while what they have begun still runs, such as one that waits no longer than some time.</summary>
public sealed class LeftBehindTests : EndToEndTests
{
    private readonly Mixed _service = new();
    private Task? _left; // what the filter has left behind

    public static TheoryData<MuxCallSide, string> Cases =>
        [.. from side in Enum.GetValues<MuxCallSide>() from shape in Mixed.Answered select new TheoryDataRow<MuxCallSide, string>(side, shape)];

    [Theory(Timeout = TestLimit), MemberData(nameof(Cases))]
    public async Task The_exception_of_a_filter_stays_the_outcome_when_what_it_left_behind_ends_well(MuxCallSide side, string shape)
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("HandlerFailed");
        (MuxStatus?, Exception?, bool) seen = default;
        var sut = Start(scene, side, new FilterOf(async (call, next) =>
        {
            try
            {
                await next.RunAsync(call);
            }
            finally
            {
                _service.Gate.SetResult();
                await Record.ExceptionAsync(() => _left!.Within("what was left behind"));
                seen = (call.Status, call.Exception, call.HasOutcome);
            }
        }), new FilterOf(async (call, next) =>
        {
            _left = next.RunAsync(call).AsTask();
            await _service.Started.ReachAsync(1);
            throw new FormatException("too slow");
        }));
        var thrown = await Record.ExceptionAsync(() => Mixed.CallAsync(sut, shape, "gate").Within(shape));
        if (side == MuxCallSide.Client) Assert.IsType<FormatException>(thrown);
        else Assert.Equal((MuxStatus.Unknown, MuxExecution.Executed), (Assert.IsType<MuxException>(thrown).Status, ((MuxException)thrown).Execution));
        Assert.IsType<FormatException>(seen.Item2);
        Assert.Equal((MuxStatus.Unknown, true), (seen.Item1!.Value, seen.Item3));
    }

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task A_filter_outside_may_throw_another_exception_in_place_of_that_of_a_filter_which_ended_early(MuxCallSide side)
    {
        var sut = Start(Begin(TransportKind.InMemory), side, new FilterOf(static async (call, next) =>
        {
            await Assert.ThrowsAsync<FormatException>(() => next.RunAsync(call).AsTask());
            throw new MuxException(MuxStatus.DeadlineExceeded, "too slow");
        }), new FilterOf(async (call, next) =>
        {
            _left = next.RunAsync(call).AsTask();
            await _service.Started.ReachAsync(1);
            throw new FormatException("too slow");
        }));
        var thrown = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, "Ask", "gate").Within("the call"));
        Assert.Equal(MuxStatus.DeadlineExceeded, thrown.Status);
        _service.Gate.SetResult();
        await Record.ExceptionAsync(() => _left!.Within("what was left behind"));
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Cases))]
    public async Task Nothing_starts_after_a_filter_has_ended_and_the_call_was_answered_as_not_executed(MuxCallSide side, string shape)
    {
        foreach (bool throws in (bool[])[false, true])
        {
            var scene = Begin(TransportKind.InMemory);
            scene.ExpectedErrors.Add("HandlerFailed");
            var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var sut = Start(scene, side, new FilterOf((call, next) =>
            {
                _left = next.RunAsync(call).AsTask();
                return throws ? throw new FormatException("no") : default;
            }), new FilterOf(async (call, next) =>
            {
                await go.Task;
                await next.RunAsync(call);
            }));
            var thrown = await Record.ExceptionAsync(() => Mixed.CallAsync(sut, shape).Within(shape));
            if (side == MuxCallSide.Server) Assert.Equal(MuxExecution.NotExecuted, Assert.IsType<MuxException>(thrown).Execution);
            else if (throws) Assert.IsType<FormatException>(thrown);
            else Assert.IsAssignableFrom<InvalidOperationException>(thrown);
            go.SetResult();
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => _left!.Within("what was left behind"));
            Assert.Equal(0, _service.Started.Count);
        }
    }

    [Theory(Timeout = TestLimit), InlineData("Ask"), InlineData("List"), InlineData("Sum"), InlineData("Talk")]
    public async Task The_token_of_a_handler_that_was_left_behind_is_cancelled(string shape)
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("HandlerFailed");
        var sut = Start(scene, MuxCallSide.Server, new FilterOf(async (call, next) =>
        {
            _left = next.RunAsync(call).AsTask();
            await _service.Started.ReachAsync(1);
            throw new FormatException("too slow");
        }));
        await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, shape, "wait").Within(shape));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _left!.Within("the handler that was left behind"));
    }

    private IMixed Start(Scene scene, MuxCallSide side, params MuxFilter[] filters) =>
        FilterScene.Start<IMixed>(scene, _service, side == MuxCallSide.Server ? filters : [], side == MuxCallSide.Client ? filters : []);
}
