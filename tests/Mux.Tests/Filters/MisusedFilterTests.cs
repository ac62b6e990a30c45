using Mux.Filters;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.Filters;

/// <summary>What a filter does wrong harms its call alone. On the side of the server the caller gets a failure, on its own side the exception itself.</summary>
public sealed class MisusedFilterTests : EndToEndTests
{
    private readonly Mixed _service = new();
    private bool _isOn = true;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_filter_of_a_server_that_throws_before_fails_its_call_unexecuted(TransportKind kind)
    {
        var sut = Start(Begin(kind), MuxCallSide.Server, static (_, _) => throw new MuxException(MuxStatus.FailedPrecondition, "not today"));
        foreach (var shape in Mixed.Answered)
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, shape).Within(shape));
            Assert.Equal((MuxStatus.FailedPrecondition, MuxExecution.NotExecuted), (error.Status, error.Execution));
            Assert.Contains("not today", error.Message, StringComparison.Ordinal);
        }

        await Mixed.CallAsync(sut, "Tell").Within("Tell");
        Assert.Equal(0, _service.Started.Count);
        await AssertUnharmedAsync(sut);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_filter_of_a_server_that_throws_after_fails_its_executed_call(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        var sut = Start(scene, MuxCallSide.Server, static async (call, next) =>
        {
            await next.RunAsync(call);
            throw new FormatException("the secret");
        });
        foreach (var shape in Mixed.Answered)
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, shape).Within(shape));
            Assert.Equal((MuxStatus.Unknown, MuxExecution.Executed), (error.Status, error.Execution));
            Assert.DoesNotContain("secret", error.Message, StringComparison.Ordinal);
        }

        await Mixed.CallAsync(sut, "Tell").Within("Tell");
        await _service.Started.ReachAsync(Mixed.Shapes.Length);
        await AssertUnharmedAsync(sut);
    }

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task A_filter_that_runs_what_follows_twice_fails_its_call(MuxCallSide side)
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("HandlerFailed");
        var sut = Start(scene, side, static async (call, next) =>
        {
            await next.RunAsync(call);
            await next.RunAsync(call);
        });
        await AssertMistakesAsync(sut, scene, side, "ran what follows it a second time");
        Assert.Equal(Mixed.Answered.Length, _service.Started.Count);
        await AssertUnharmedAsync(sut);
    }

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task A_filter_that_neither_runs_what_follows_nor_ends_the_call_fails_it(MuxCallSide side)
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("HandlerFailed");
        var sut = Start(scene, side, static (_, _) => default);
        await AssertMistakesAsync(sut, scene, side, "neither ran what follows it nor ended the call");
        Assert.Equal(0, _service.Started.Count);
        await AssertUnharmedAsync(sut);
    }

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task A_filter_that_does_not_await_what_follows_fails_its_call(MuxCallSide side)
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("HandlerFailed");
        var left = new List<Task>();
        var sut = Start(scene, side, (call, next) =>
        {
            lock (left) left.Add(next.RunAsync(call).AsTask());
            return default;
        });
        await AssertMistakesAsync(sut, scene, side, "returned before what follows it had ended", "gate");
        _service.Gate.SetResult();
        foreach (var task in left) await Record.ExceptionAsync(() => task.Within("what was left behind"));
        await AssertUnharmedAsync(sut);
    }

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task What_follows_cannot_run_after_the_filter_has_returned(MuxCallSide side)
    {
        (MuxCall Call, MuxNext Next) kept = default;
        var sut = Start(Begin(TransportKind.InMemory), side, (call, next) =>
        {
            kept = (call, next);
            call.SetResponse(new Answer { Id = 1 });
            return default;
        });
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(1, await Mixed.CallAsync(sut, "Ask").Within("a call that the filter answers"));
            await Assert.ThrowsAnyAsync<InvalidOperationException>(() => kept.Next.RunAsync(kept.Call!).AsTask());
        }

        Assert.Equal(0, _service.Started.Count);
        await AssertUnharmedAsync(sut);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_filter_of_a_channel_that_throws_fails_its_call_with_that_exception()
    {
        var sut = Start(Begin(TransportKind.InMemory), MuxCallSide.Client, static (_, _) => throw new FormatException("mine"));
        foreach (var shape in Mixed.Shapes) await Assert.ThrowsAsync<FormatException>(() => Mixed.CallAsync(sut, shape).Within(shape));
        Assert.Equal(0, _service.Started.Count);
        await AssertUnharmedAsync(sut);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_filter_of_a_channel_that_throws_after_fails_its_call_with_that_exception()
    {
        var sut = Start(Begin(TransportKind.InMemory), MuxCallSide.Client, static async (call, next) =>
        {
            await next.RunAsync(call);
            throw new FormatException("mine");
        });
        foreach (var shape in Mixed.Shapes) await Assert.ThrowsAsync<FormatException>(() => Mixed.CallAsync(sut, shape).Within(shape));
        await _service.Started.ReachAsync(Mixed.Shapes.Length);
        await AssertUnharmedAsync(sut);
    }

    /// <summary>Makes calls of all shapes that have an answer, which the filter fails by a mistake.</summary>
    private async Task AssertMistakesAsync(IMixed sut, Scene scene, MuxCallSide side, string mistake, string? text = null)
    {
        foreach (var shape in Mixed.Answered)
        {
            if (side == MuxCallSide.Client)
            {
                var own = await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mixed.CallAsync(sut, shape, text).Within(shape));
                Assert.Contains(mistake, own.Message, StringComparison.Ordinal);
                continue;
            }

            int logged = scene.Logs.Of("HandlerFailed").Count;
            var error = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, shape, text).Within(shape));
            Assert.Equal(MuxStatus.Unknown, error.Status);
            Assert.Contains(mistake, error.Message, StringComparison.Ordinal);
            var entries = await scene.Logs.ReachAsync("HandlerFailed", logged + 1);
            Assert.Contains(mistake, entries[^1].Error!.Message, StringComparison.Ordinal);
        }
    }

    /// <summary>The same connection goes on to serve calls.</summary>
    private async Task AssertUnharmedAsync(IMixed sut)
    {
        _isOn = false;
        foreach (var shape in Mixed.Answered) Assert.True(await Mixed.CallAsync(sut, shape).Within($"{shape} without the mistake") > 0);
    }

    private IMixed Start(Scene scene, MuxCallSide side, Func<MuxCall, MuxNext, ValueTask> run)
    {
        MuxFilter[] filters = [new FilterOf((call, next) => _isOn ? run(call, next) : next.RunAsync(call))];
        return FilterScene.Start<IMixed>(scene, _service, side == MuxCallSide.Server ? filters : [], side == MuxCallSide.Client ? filters : []);
    }
}
