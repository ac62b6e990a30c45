using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Ordering;

/// <summary>Handlers of batches that do what they should not: their callers learn of it, and later batches run.</summary>
public sealed class CarelessBatchTests : EndToEndTests
{
    private readonly Stock _stock = new();
    private readonly Signal _end = new("the end of the first batch");

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_that_answers_twice_fails_those_without_an_answer_alone(TransportKind kind)
    {
        var (sut, first) = await BlockAsync(Begin(kind));
        _stock.OnFind = static calls =>
        {
            calls[0].SetResult(1);
            calls[1].Fail(MuxStatus.NotFound, "none");
            calls[0].SetResult(2);
            return default;
        };
        var calls = await CallAsync(sut, 4, Token);
        _end.Set();

        await first.Within("the first call");
        Assert.Equal(1, await calls[0].Within("the call with two answers"));
        await calls[1].Within("the call that failed").FailsAsync(MuxStatus.NotFound, MuxExecution.Executed, MuxCallPhase.Handler);
        foreach (var call in calls[2..]) await call.Within("a call without an answer").FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        await AssertGoesOnAsync(sut);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_that_stops_with_the_token_of_one_call_cancels_no_other(TransportKind kind)
    {
        var (sut, first) = await BlockAsync(Begin(kind));
        using var cancellation = new CancellationTokenSource();
        _stock.OnFind = static async calls =>
        {
            var told = new Signal("the token of a call");
            var token = calls.Single(static call => call.Request == 0).CancellationToken;
            await using (token.Register(told.Set)) await told.WaitAsync();
            token.ThrowIfCancellationRequested();
        };
        var calls = await CallAsync(sut, 3, cancellation.Token);
        _end.Set();
        await _stock.Batches.ReachAsync(2);
        await cancellation.CancelAsync();

        await first.Within("the first call");
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => calls[0].Within("the call that is cancelled"));
        foreach (var call in calls[1..]) await call.Within("a call without an answer").FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        await AssertGoesOnAsync(sut);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_behind_a_batch_that_never_ends_end_at_their_deadlines_and_do_not_run(TransportKind kind)
    {
        var (sut, first) = await BlockAsync(Begin(kind));
        using (new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(50) }.Apply())
        {
            var late = Enumerable.Range(1, 20).Select(id => sut.Find(id, Token).AsTask()).ToArray();
            foreach (var call in late) Assert.Equal(MuxStatus.DeadlineExceeded, (await Assert.ThrowsAsync<MuxException>(() => call.Within("a call behind the batch"))).Status);
        }

        _end.Set();
        await first.Within("the first call");
        await AssertGoesOnAsync(sut);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_that_calls_its_own_method_waits_for_itself_until_the_deadline_of_that_call(TransportKind kind)
    {
        var scene = Begin(kind);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IStock>(_stock))).CreateProxy<IStock>();
        MuxException? failure = null;
        _stock.OnFind = async calls =>
        {
            using var scope = new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(50) }.Apply();
            failure = await Assert.ThrowsAsync<MuxException>(() => sut.Find(2, CancellationToken.None).AsTask().Within("the call of the handler"));
            Stock.AnswerAll(calls);
        };
        Assert.Equal(2, await sut.Find(1, Token).AsTask().Within("the call"));
        Assert.Equal(MuxStatus.DeadlineExceeded, failure!.Status);
        await AssertGoesOnAsync(sut);
    }

    /// <summary>Makes a call whose batch ends when the test says so.</summary>
    private async Task<(IStock Proxy, Task First)> BlockAsync(Scene scene)
    {
        scene.ExpectedErrors.Add("HandlerFailed");
        var end = _end;
        _stock.OnFind = async calls =>
        {
            await end.WaitAsync();
            Stock.AnswerAll(calls);
        };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IStock>(_stock))).CreateProxy<IStock>();
        var first = sut.Find(-1, Token).AsTask();
        await _stock.Batches.ReachAsync(1);
        return (sut, first);
    }

    /// <summary>Makes calls that are one batch, of which the first has a token of its own.</summary>
    private static async Task<Task<int>[]> CallAsync(IStock sut, int count, CancellationToken ofFirst)
    {
        var calls = Enumerable.Range(0, count).Select(id => sut.Find(id, id == 0 ? ofFirst : Token).AsTask()).ToArray();
        await sut.Count().AsTask().Within("a call that came after them");
        return calls;
    }

    private async Task AssertGoesOnAsync(IStock sut)
    {
        _stock.OnFind = null;
        Assert.Equal(42, await sut.Find(21, Token).AsTask().Within("a call after all"));
    }
}
