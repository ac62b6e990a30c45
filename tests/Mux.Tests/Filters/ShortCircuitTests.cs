using Mux.Filters;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.Filters;

/// <summary>Filters that end calls themselves, or change what passes.</summary>
public sealed class ShortCircuitTests : EndToEndTests
{
    private readonly Mixed _service = new();

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task A_filter_answers_calls_of_every_shape(MuxCallSide side)
    {
        var outer = new EndingFilter();
        var sut = Start(Begin(TransportKind.InMemory), side, outer, new FilterOf(static (call, _) =>
        {
            if (call.Method.FullName.EndsWith("/Tell", StringComparison.Ordinal)) call.SetResponse(default(MuxUnit));
            else if ((call.Method.Shape & Mux.Contracts.MethodShape.ResponseStream) != 0) call.SetResponseStream(Answers());
            else call.SetResponse(new Answer { Id = 42 });
            return default;
        }));
        foreach (var (index, shape) in Mixed.Shapes.Index())
        {
            Assert.Equal(shape == "Tell" ? 0 : 42, await Mixed.CallAsync(sut, shape).Within(shape));
            Assert.Equal(MuxStatus.Ok, (await outer.ReachAsync(index + 1)).Status);
        }

        Assert.Equal(0, _service.Started.Count);
    }

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task A_failure_that_a_filter_sets_instead_of_the_handler_is_not_executed(MuxCallSide side)
    {
        var outer = new EndingFilter();
        var sut = Start(Begin(TransportKind.InMemory), side, outer, new FilterOf(static (call, _) =>
        {
            call.Fail(new MuxFailure(MuxStatus.ResourceExhausted, "later") { RetryAfter = TimeSpan.FromSeconds(3) });
            return default;
        }));
        foreach (var (index, shape) in Mixed.Answered.Index())
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, shape).Within(shape));
            Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, TimeSpan.FromSeconds(3)), (error.Status, error.Execution, error.RetryAfter));
            Assert.Equal($"t.Mixed/{shape}", error.Method);
            var ending = await outer.ReachAsync(index + 1);
            Assert.Equal((MuxStatus.ResourceExhausted, null), (ending.Status, ending.Error));
        }

        Assert.Equal(0, _service.Started.Count);
    }

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task A_filter_replaces_the_outcome_of_a_handler(MuxCallSide side)
    {
        var sut = Start(Begin(TransportKind.InMemory), side, new FilterOf(static async (call, next) =>
        {
            try
            {
                await next.RunAsync(call);
            }
            catch (MuxException) when (call.TryGetRequest<Question>(out var question) && question.Text == "fail")
            {
                Assert.False(call.TryGetResponse<Answer>(out _));
                call.SetResponse(new Answer { Id = 1 });
                return;
            }

            Assert.True(call.TryGetResponse<Answer>(out var answer));
            Assert.Equal(7, answer.Id);
            call.Fail(MuxStatus.DataLoss, "no longer");
        }));
        Assert.Equal(1, await Mixed.CallAsync(sut, "Ask", "fail").Within("a call that becomes a reply"));
        var error = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, "Ask").Within("a call that becomes a failure"));
        Assert.Equal((MuxStatus.DataLoss, MuxExecution.Executed), (error.Status, error.Execution));
    }

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task An_exception_that_a_filter_swallows_still_fails_the_call(MuxCallSide side)
    {
        var sut = Start(Begin(TransportKind.InMemory), side, new FilterOf(static async (call, next) =>
        {
            await Record.ExceptionAsync(() => next.RunAsync(call).AsTask());
            Assert.NotNull(call.Exception);
        }));
        foreach (var shape in Mixed.Answered)
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, shape, "fail").Within(shape));
            Assert.Equal(MuxStatus.Aborted, error.Status);
        }
    }

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task A_filter_replaces_the_request(MuxCallSide side)
    {
        var sut = Start(Begin(TransportKind.InMemory), side, new FilterOf(static (call, next) =>
        {
            Assert.True(call.TryGetRequest<object>(out var any));
            Assert.Same(any, call.Request);
            Assert.False(call.TryGetRequest<Answer>(out _));
            Assert.True(call.TryGetRequest<Question>(out var question));
            call.SetRequest(new Question { Id = question.Id + 1 });
            return next.RunAsync(call);
        }));
        Assert.Equal(8, await Mixed.CallAsync(sut, "Ask").Within("the call"));
    }

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task A_message_of_another_type_is_rejected_with_both_types(MuxCallSide side)
    {
        var mistakes = new List<string>();
        var sut = Start(Begin(TransportKind.InMemory), side, new FilterOf((call, next) =>
        {
            mistakes.Add(Assert.Throws<InvalidOperationException>(() => call.SetRequest(new Answer())).Message);
            mistakes.Add(Assert.Throws<InvalidOperationException>(() => call.SetResponse(new Question())).Message);
            mistakes.Add(Assert.Throws<InvalidOperationException>(() => call.SetResponseStream(Answers())).Message);
            return next.RunAsync(call);
        }));
        await Mixed.CallAsync(sut, "Ask").Within("the call");
        Assert.Contains($"t.Mixed/Ask has no request of {typeof(Answer)}: its request is {typeof(Question)}.", mistakes);
        Assert.Contains($"t.Mixed/Ask has no reply of {typeof(Question)}: its reply is {typeof(Answer)}.", mistakes);
    }

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task Filters_change_the_items_of_streams_from_the_outside_in_and_back(MuxCallSide side)
    {
        var ending = new EndingFilter();
        var sut = Start(Begin(TransportKind.InMemory), side, ending, Shifting(2, 0), Shifting(1, 1));
        // (1 + 2 + 3) with each item times 2, plus 1: once for the request stream, and the other way around for the response stream
        Assert.Equal(((2 * 1) + 0 + (2 * 2) + 0 + (2 * 3) + 0) + 3, await Mixed.CallAsync(sut, "Sum").Within("Sum"));
        Assert.Equal(((1 + 1) * 2) + ((2 + 1) * 2) + ((3 + 1) * 2), await Mixed.CallAsync(sut, "List").Within("List"));
        await ending.ReachAsync(2);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_caller_that_leaves_a_stream_early_ends_its_filters()
    {
        var (server, client) = (new EndingFilter(), new EndingFilter());
        var sut = FilterScene.Start<IMixed>(Begin(TransportKind.InMemory), _service, [server], [client]);
        await foreach (var answer in sut.List(new() { Text = "wait" }, TestContext.Current.CancellationToken))
        {
            if (answer.Id == 2) break;
        }

        var ending = await client.ReachAsync(1);
        Assert.Equal((MuxStatus.Cancelled, 2), (ending.Status, ending.Received));
        Assert.Equal(MuxStatus.Cancelled, (await server.ReachAsync(1)).Status);
    }

    private static FilterOf Shifting(int factor, int summand) => new((call, next) =>
    {
        call.TryWrapRequestStream<Question>(items => items.Select(item => new Question { Id = (item.Id * factor) + summand }));
        call.TryWrapResponseStream<Answer>(items => items.Select(item => new Answer { Id = (item.Id * factor) + summand }));
        return next.RunAsync(call);
    });

    private static async IAsyncEnumerable<Answer> Answers()
    {
        yield return new() { Id = 40 };
        await Task.Yield();
        yield return new() { Id = 2 };
    }

    private IMixed Start(Scene scene, MuxCallSide side, params MuxFilter[] filters) =>
        FilterScene.Start<IMixed>(scene, _service, side == MuxCallSide.Server ? filters : [], side == MuxCallSide.Client ? filters : []);
}
