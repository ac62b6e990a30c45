using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Callbacks;

/// <summary>Cancels from both sides, deadlines and lost connections while callbacks run.</summary>
public sealed class CallbackCancellationTests : CallbackTests
{
    private readonly Signal _cancelled = new("the token of the callback");
    private readonly Signal _ended = new("the handler, told of the end of its call");

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_cancels_a_callback_and_makes_the_next_one(TransportKind kind)
    {
        Callback.OnAsk = WaitForCancelAsync;
        Service.OnImport = async (_, progress, token) =>
        {
            using var cancellation = new CancellationTokenSource();
            var asked = progress.Ask("?", cancellation.Token).AsTask();
            await Callback.Questions.ReachAsync(1);
            await cancellation.CancelAsync();
            var thrown = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asked);
            Assert.Equal(cancellation.Token, thrown.CancellationToken);
            await _cancelled.WaitAsync();
            await progress.Advance();
            return 1;
        };
        Assert.Equal(1, await ImportAsync(Start(Begin(kind))));
        Assert.Equal(["?", "advance"], Callback.Seen);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_cancel_is_read_behind_many_callbacks_that_wait_for_the_one_it_ends(TransportKind kind)
    {
        const int Behind = 500;
        Callback.OnAsk = WaitForCancelAsync;
        Service.OnImport = async (_, progress, token) =>
        {
            using var cancellation = new CancellationTokenSource();
            var asked = progress.Ask("?", cancellation.Token).AsTask();
            await Callback.Questions.ReachAsync(1);
            for (int i = 0; i < Behind; i++) await progress.Report(i);
            await cancellation.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asked);
            await _cancelled.WaitAsync();
            return 1;
        };
        Assert.Equal(1, await ImportAsync(Start(Begin(kind))));
        Assert.Equal(1 + Behind, Callback.Seen.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Too_many_callbacks_behind_one_that_does_not_end_fail_the_call()
    {
        Callback.OnAsk = WaitForCancelAsync;
        Service.OnImport = async (_, progress, token) =>
        {
            var asked = progress.Ask("?", token).AsTask();
            await Callback.Questions.ReachAsync(1);
            while (true) await progress.Report(0);
        };
        var error = await Assert.ThrowsAsync<MuxException>(() => ImportAsync(Start(Begin(TransportKind.InMemory))));
        Assert.Contains("more than 1024 callbacks wait behind one that has no answer", error.Message, StringComparison.Ordinal);
        await _cancelled.WaitAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_callback_that_is_cancelled_while_it_waits_never_begins(TransportKind kind)
    {
        var release = new Signal("the release of the first callback");
        var other = new Progress();
        Callback.OnAsk = async (question, _) =>
        {
            await release.WaitAsync();
            return question;
        };
        Service.OnMeet = async (progress, _, second, token) =>
        {
            using var cancellation = new CancellationTokenSource();
            var asked = new[] { progress.Ask("1", token).AsTask(), progress.Ask("2", cancellation.Token).AsTask(), progress.Ask("3", token).AsTask() };
            await Callback.Questions.ReachAsync(1);
            await cancellation.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asked[1]);
            await second.Advance(); // the answer of another object: the caller has read the cancel
            release.Set();
            await Task.WhenAll(asked[0], asked[2]);
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => progress.Ask("4", cancellation.Token).AsTask());
        };
        await Start(Begin(kind)).Meet(Callback, new Crowd(), other, TestContext.Current.CancellationToken).Within("a call with three callbacks");
        Assert.Equal(["1", "3"], Callback.Seen);
        Assert.Equal(["advance"], other.Seen);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_caller_that_cancels_its_call_ends_the_callback_and_the_handler(TransportKind kind)
    {
        using var cancellation = new CancellationTokenSource();
        var call = Begin(kind, cancellation.Token);
        await Callback.Questions.ReachAsync(1);
        await cancellation.CancelAsync();
        var thrown = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("the cancelled call"));
        Assert.Equal(cancellation.Token, thrown.CancellationToken);
        await _cancelled.WaitAsync();
        await _ended.WaitAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_caller_that_cancels_does_not_wait_for_room_behind_a_callback_that_does_not_return(TransportKind kind)
    {
        const int Reports = 1 + 64 + 1; // one runs, as many wait as may, and one makes the reader wait
        using var cancellation = new CancellationTokenSource();
        var release = new Signal("the release of the report");
        Callback.OnReport = async _ => await release.WaitAsync();
        Service.OnImport = async (_, progress, token) =>
        {
            for (int i = 0; i < Reports; i++) await progress.Report(i);
            await EndOf(token);
            return 1;
        };
        var scene = Begin(kind);
        var sut = Start(scene);
        var call = sut.Import("file", Callback, cancellationToken: cancellation.Token).AsTask();
        await Callback.Reports.ReachAsync(1);
        await Eventually.Holds(() => scene.Channels[0].GetStatistics().FramesReceived >= Reports, "the reports to have come");
        Assert.Equal(7, await sut.Echo(7, TestContext.Current.CancellationToken).AsTask().Within("a call behind the reports"));
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("the cancelled call"));
        Assert.Equal(1, Callback.Reports.Count);
        release.Set();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_deadline_ends_the_callback_and_the_handler(TransportKind kind)
    {
        var time = new ManualTime();
        Prepare();
        var call = Start(Begin(kind, time)).Import("file", Callback, new MuxCallOptions { Timeout = TimeSpan.FromSeconds(1) }, TestContext.Current.CancellationToken).AsTask();
        await Callback.Questions.ReachAsync(1);
        time.Advance(TimeSpan.FromSeconds(2));
        var failure = await Assert.ThrowsAsync<MuxException>(() => call.Within("the call with a deadline"));
        Assert.Equal(MuxStatus.DeadlineExceeded, failure.Status);
        await _ended.WaitAsync();
        await _cancelled.WaitAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_lost_connection_ends_the_callback_and_the_handler(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        Prepare();
        var call = ImportAsync(Start(scene));
        await Callback.Questions.ReachAsync(1);
        scene.Channels[0].Dispose();
        var failure = await Assert.ThrowsAsync<MuxException>(() => call);
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (failure.Status, failure.Execution));
        await _cancelled.WaitAsync();
        await _ended.WaitAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_caller_may_cancel_while_callbacks_run_after_the_result(TransportKind kind)
    {
        using var cancellation = new CancellationTokenSource();
        var release = new Signal("the release of the report");
        Callback.OnReport = async _ => await release.WaitAsync();
        Service.OnImport = static async (_, progress, _) =>
        {
            await progress.Report(1);
            return 1;
        };
        var scene = Begin(kind);
        var call = Start(scene).Import("file", Callback, cancellationToken: cancellation.Token).AsTask();
        await Callback.Reports.ReachAsync(1);
        await Eventually.Holds(() => scene.Channels[0].GetStatistics().CallsCompleted == 1, "the result to have arrived");
        Assert.False(call.IsCompleted);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("the call whose result waits"));
        release.Set();
    }

    private Task<int> Begin(TransportKind kind, CancellationToken cancellationToken)
    {
        Prepare();
        return Start(Begin(kind)).Import("file", Callback, cancellationToken: cancellationToken).AsTask();
    }

    /// <summary>Lets a handler wait for a callback that waits for its end.</summary>
    private void Prepare()
    {
        Callback.OnAsk = WaitForCancelAsync;
        Service.OnImport = async (_, progress, token) =>
        {
            try
            {
                await progress.Ask("?", default);
            }
            catch (OperationCanceledException e) when (token.IsCancellationRequested && e.CancellationToken == token)
            {
                _ended.Set();
                throw;
            }

            return 1;
        };
    }

    private async ValueTask<string> WaitForCancelAsync(string question, CancellationToken cancellationToken)
    {
        await using var registration = cancellationToken.Register(_cancelled.Set);
        await _cancelled.WaitAsync();
        cancellationToken.ThrowIfCancellationRequested();
        return question;
    }
}
