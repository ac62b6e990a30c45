using System.Diagnostics;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Tests.Faults;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Diagnostics;

/// <summary>The spans of calls, and the trace that calls carry on.</summary>
public sealed class TracingTests : EndToEndTests
{
    private readonly Mixed _service = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_has_a_span_at_both_sides_and_the_one_continues_the_other(TransportKind kind)
    {
        var scene = Begin(kind);
        using var spans = new Spans();
        var sut = Start(scene);
        await sut.Ask(new Question(), cancellationToken: TestContext.Current.CancellationToken);
        var (client, server) = await spans.OfTheOnlyCallAsync();
        foreach (var span in new[] { client, server })
        {
            Assert.Equal(("t.Mixed/Ask", "t.Mixed/Ask", ActivityStatusCode.Unset), (span.OperationName, span.DisplayName, span.Status));
            Assert.Equal(("mux", "t.Mixed/Ask", "OK"), (span.GetTagItem("rpc.system.name"), span.GetTagItem("rpc.method"), span.GetTagItem("rpc.status_code")));
        }

        Assert.Null(client.ParentId);
        Assert.Equal((client.TraceId, client.SpanId, true), (server.TraceId, server.ParentSpanId, server.HasRemoteParent));
        Assert.True(client.StartTimeUtc <= server.StartTimeUtc);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Every_kind_of_call_has_its_two_spans(TransportKind kind)
    {
        var sut = Start(Begin(kind));
        await AssertTracedAsync("t.Mixed/Tell", () => sut.Tell(new Question()).AsTask());
        await AssertTracedAsync("t.Mixed/Ask", () => sut.Ask(new Question { Bytes = new byte[300_000] }).AsTask()); // in fragments both ways
        await AssertTracedAsync("t.Mixed/Sum", () => sut.Sum(new Question(), Items(3)).AsTask());
        await AssertTracedAsync("t.Mixed/List", () => sut.List(new Question { Names = ["a", "b"] }).CountAsync().AsTask());
        await AssertTracedAsync("t.Mixed/Talk", () => sut.Talk(new Question(), Items(3)).CountAsync().AsTask());
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_continues_the_trace_of_its_caller_whose_activity_stays_current(TransportKind kind)
    {
        using var spans = new Spans();
        var sut = Start(Begin(kind));
        using var caller = new Activity("caller").Start();
        var call = sut.Ask(new Question(), cancellationToken: TestContext.Current.CancellationToken);
        Assert.Same(caller, Activity.Current);
        await call;
        Assert.Same(caller, Activity.Current);
        var (client, server) = await spans.OfTheOnlyCallAsync();
        Assert.Equal((caller.TraceId, caller.SpanId), (client.TraceId, client.ParentSpanId));
        Assert.Equal((caller.TraceId, client.SpanId), (server.TraceId, server.ParentSpanId));
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(ActivitySamplingResult.AllDataAndRecorded, true)]
    [InlineData(ActivitySamplingResult.AllData, false)]
    [InlineData(ActivitySamplingResult.PropagationData, false)]
    public async Task Flags_travel_and_trace_state_does_not(ActivitySamplingResult sampling, bool isRecorded)
    {
        var sut = Start(Begin(TransportKind.InMemory));
        using var spans = new Spans(sampling);
        using var caller = new Activity("caller") { TraceStateString = "vendor=1" }.Start();
        await sut.Ask(new Question(), cancellationToken: TestContext.Current.CancellationToken);
        var (client, server) = await spans.OfTheOnlyCallAsync();
        Assert.Equal((isRecorded, isRecorded), (client.Recorded, server.Recorded));
        Assert.Equal(("vendor=1", null), (client.TraceStateString, server.TraceStateString));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Spans_of_a_failed_call_have_its_status_and_are_errors_where_that_side_failed(TransportKind kind)
    {
        var time = new ManualTime();
        var scene = Begin(kind, time);
        scene.ExpectedErrors.Add("HandlerFailed");
        var sut = Start(scene);
        await AssertFailedAsync("fail", "NOT_FOUND", ActivityStatusCode.Unset);
        await AssertFailedAsync("throw", "UNKNOWN", ActivityStatusCode.Error);
        var deadline = TimeSpan.FromSeconds(1);
        await AssertFailedAsync("wait", "DEADLINE_EXCEEDED", ActivityStatusCode.Error, () => time.Advance(2 * deadline), new MuxCallOptions { Timeout = deadline });
        using var cancellation = new CancellationTokenSource();
        await AssertFailedAsync("wait", "CANCELLED", ActivityStatusCode.Unset, cancellation.Cancel, cancellation: cancellation);

        async Task AssertFailedAsync(
            string what, string status, ActivityStatusCode atServer, Action? end = null, MuxCallOptions? options = null, CancellationTokenSource? cancellation = null)
        {
            using var spans = new Spans();
            var call = sut.Ask(new Question { Text = what }, options, cancellation?.Token ?? TestContext.Current.CancellationToken).AsTask();
            if (end is not null) await Eventually.Holds(() => spans.Started.Count == 2, "the start of the handler");
            end?.Invoke();
            await Assert.ThrowsAnyAsync<Exception>(() => call);
            var (client, server) = await spans.OfTheOnlyCallAsync();
            Assert.Equal((status, ActivityStatusCode.Error), (client.GetTagItem("rpc.status_code"), client.Status));
            Assert.Equal((status, atServer), (server.GetTagItem("rpc.status_code"), server.Status));
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Spans_of_a_stream_last_until_its_end(TransportKind kind)
    {
        var scene = Begin(kind);
        using var spans = new Spans();
        var sut = Start(scene);
        var end = new Signal("the end of the requests");
        await using var replies = sut.Talk(new Question(), ItemThenAsync(end), TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await replies.MoveNextAsync());
        Assert.Equal((2, 0), (spans.Started.Count, spans.Ended.Count));
        end.Set();
        Assert.False(await replies.MoveNextAsync());
        var (client, server) = await spans.OfTheOnlyCallAsync();
        Assert.Equal(("OK", "OK"), (client.GetTagItem("rpc.status_code"), server.GetTagItem("rpc.status_code")));

        static async IAsyncEnumerable<Question> ItemThenAsync(Signal end)
        {
            yield return new Question();
            await end.WaitAsync();
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_of_a_handler_is_a_child_of_the_handlers_span_also_after_an_await(TransportKind kind)
    {
        var scene = Begin(kind);
        using var spans = new Spans();
        var inner = new Mixed();
        var behind = scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(inner))).CreateProxy<IMixed>();
        var current = new List<Activity?>();
        _service.OnOwn = async (question, token) =>
        {
            current.Add(Activity.Current);
            await behind.Ask(new Question { Id = 1 }, cancellationToken: token);
            await Task.Yield();
            current.Add(Activity.Current);
            return await behind.Ask(new Question { Id = 2 }, cancellationToken: token);
        };
        await Start(scene).Ask(new Question { Text = "own" }, cancellationToken: TestContext.Current.CancellationToken);
        await spans.ReachAsync(6);
        Assert.Equal(6, spans.Started.Count);
        Assert.Single(spans.Started.Select(span => span.TraceId).Distinct());
        var outer = Assert.Single(spans.Started, span => span.Kind == ActivityKind.Client && span.ParentId is null);
        var handler = Assert.Single(spans.Started, span => span.ParentSpanId == outer.SpanId);
        Assert.All(current, activity => Assert.Same(handler, activity));
        var nested = spans.Started.Where(span => span.ParentSpanId == handler.SpanId).ToList();
        Assert.Equal([ActivityKind.Client, ActivityKind.Client], nested.Select(span => span.Kind));
        Assert.All(nested, call => Assert.Single(spans.Started, span => span.Kind == ActivityKind.Server && span.ParentSpanId == call.SpanId));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_that_carry_no_trace_begin_one_each_whatever_ran_before_them(TransportKind kind)
    {
        const int Calls = 200;
        var scene = Begin(kind);
        using var spans = new Spans();
        var sut = Start(scene);
        _service.OnOwn = async (question, _) =>
        {
            if (question.Id % 2 == 0) await Task.Yield();
            return new Answer { Id = question.Id };
        };
        await Task.WhenAll(Enumerable.Range(0, Calls).Select(id => sut.Ask(new Question { Id = id, Text = "own" }).AsTask())).Within("all replies");
        await spans.ReachAsync(2 * Calls);
        var clients = spans.Started.Where(span => span.Kind == ActivityKind.Client).ToList();
        Assert.All(clients, span => Assert.Null(span.ParentId));
        Assert.Equal(Calls, clients.DistinctBy(span => span.TraceId).Count());
        Assert.Equal(clients.Select(span => span.SpanId).ToHashSet(), spans.Started.Where(span => span.Kind == ActivityKind.Server).Select(span => span.ParentSpanId).ToHashSet());
    }

    [Fact(Timeout = TestLimit)]
    public async Task Whoever_ends_a_call_of_another_keeps_its_own_activity()
    {
        var scene = Begin(TransportKind.InMemory);
        using var spans = new Spans();
        var sut = Start(scene);
        using var cancellation = new CancellationTokenSource();
        Task call;
        using (new Activity("caller").Start()) call = sut.Ask(new Question { Text = "wait" }, cancellationToken: cancellation.Token).AsTask();
        await Eventually.Holds(() => spans.Started.Count == 2, "the start of the handler");
        using var canceller = new Activity("canceller").Start();
#pragma warning disable CA1849 // here and now is the point
        cancellation.Cancel();
#pragma warning restore CA1849
        Assert.Same(canceller, Activity.Current);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Whoever_completes_what_a_handler_awaits_keeps_its_own_activity()
    {
        var scene = Begin(TransportKind.InMemory);
        using var spans = new Spans();
        var answer = new TaskCompletionSource<Answer>(); // whose continuations run where it is set
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(new Desk { OnAsk = (_, _) => new(answer.Task) }))).CreateProxy<IDesk>();
        var call = sut.AskPlainly(new Question()).AsTask();
        await Eventually.Holds(() => spans.Started.Count == 2, "the start of the handler");
        await Task.Run(() =>
        {
            using var completer = new Activity("completer").Start();
            answer.SetResult(new Answer());
            Assert.Same(completer, Activity.Current);
        }, TestContext.Current.CancellationToken);
        await call;
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_from_a_flow_whose_activity_has_ended_leaves_that_current()
    {
        using var spans = new Spans();
        var sut = Start(Begin(TransportKind.InMemory));
        var goOn = new Signal("the end of the activity");
        var caller = new Activity("caller").Start();
        var background = CallLaterAsync();
        caller.Stop();
        goOn.Set();
        await background;

        async Task CallLaterAsync()
        {
            await goOn.WaitAsync();
            Assert.Same(caller, Activity.Current);
            var call = sut.Ask(new Question());
            Assert.Same(caller, Activity.Current);
            await call;
            Assert.Same(caller, Activity.Current);
        }
    }

    private async Task AssertTracedAsync(string method, Func<Task> call)
    {
        using var spans = new Spans();
        await call();
        var (client, server) = await spans.OfTheOnlyCallAsync();
        Assert.Equal((method, method), (client.DisplayName, server.DisplayName));
        Assert.Equal((client.TraceId, client.SpanId), (server.TraceId, server.ParentSpanId));
        Assert.Equal(("OK", "OK"), (client.GetTagItem("rpc.status_code"), server.GetTagItem("rpc.status_code")));
    }

    private static async IAsyncEnumerable<Question> Items(int count)
    {
        for (int id = 0; id < count; id++)
        {
            await Task.Yield();
            yield return new Question { Id = id };
        }
    }

    private IMixed Start(Scene scene) => scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(_service))).CreateProxy<IMixed>();
}
