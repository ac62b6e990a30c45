using Microsoft.Extensions.Logging;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Callbacks;

/// <summary>What handlers and callers are told when a callback fails, and what a call with callbacks holds up.</summary>
public sealed class CallbackFailureTests : CallbackTests
{
    private const int Most = 64;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_callback_that_throws_a_MuxException_keeps_its_status_and_message(TransportKind kind)
    {
        Callback.OnAsk = static (_, _) => throw new MuxException(MuxStatus.NotFound, "no such row");
        var failure = await FailureOfAsync(Start(Begin(kind)));
        Assert.Equal((MuxStatus.NotFound, MuxExecution.Executed, MuxCallPhase.Handler), (failure.Status, failure.Execution, failure.Phase));
        Assert.Equal("no such row", failure.Message);
        Assert.EndsWith("IProgress.Ask", failure.Method, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_callback_that_throws_anything_else_is_logged_at_its_side_and_unknown_at_the_other(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("ClientContinuationFailed");
        Callback.OnAsk = static (_, _) => throw new InvalidOperationException("a secret");
        var failure = await FailureOfAsync(Start(scene));
        Assert.Equal(MuxStatus.Unknown, failure.Status);
        Assert.DoesNotContain("secret", failure.Message, StringComparison.Ordinal);
        Assert.Contains(scene.Logs.Of("ClientContinuationFailed"), static entry => entry.Error?.Message == "a secret");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_callback_that_fails_at_all_its_calls_is_one_error_a_second_that_names_it_and_the_method()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedErrors.Add("ClientContinuationFailed");
        Callback.OnAsk = static (_, _) => throw new InvalidOperationException("no");
        var sut = Start(scene);
        for (int i = 0; i < 100; i++) await FailureOfAsync(sut);
        Assert.Contains("IProgress.Ask of a call of test.Imports/Import threw", Assert.Single(Errors()).Text, StringComparison.Ordinal);
        Assert.Equal(100, scene.Logs.Of("ClientContinuationFailed").Count);

        time.Advance(TimeSpan.FromSeconds(1));
        await FailureOfAsync(sut);
        Assert.EndsWith(" Similar messages at level Debug since the last one: 99.", Errors()[^1].Text, StringComparison.Ordinal);

        List<LogEntry> Errors() => [.. scene.Logs.Of("ClientContinuationFailed").Where(static entry => entry.Level == LogLevel.Error)];
    }

    [Fact(Timeout = TestLimit)]
    public async Task So_is_a_callback_of_a_server_that_calls_its_clients()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedErrors.Add("ServerCallbackFailed");
        Callback.OnAsk = static (_, _) => throw new InvalidOperationException("no");
        var server = scene.StartServer(static _ => { });
        scene.CreateChannel(server, options =>
        {
            options.KeepConnected = true;
            options.AddService<IImports>(Service);
        });
        await Eventually.Holds(() => server.Peers.Count == 1, "the server to know its client");
        var sut = server.Peers.Single().Get<IImports>();
        for (int i = 0; i < 100; i++) await FailureOfAsync(sut);
        Assert.Contains("IProgress.Ask of a call of test.Imports/Import threw", Assert.Single(Errors()).Text, StringComparison.Ordinal);
        Assert.Equal(100, scene.Logs.Of("ServerCallbackFailed").Count);

        time.Advance(TimeSpan.FromSeconds(1));
        await FailureOfAsync(sut);
        Assert.EndsWith(" Similar messages at level Debug since the last one: 99.", Errors()[^1].Text, StringComparison.Ordinal);

        List<LogEntry> Errors() => [.. scene.Logs.Of("ServerCallbackFailed").Where(static entry => entry.Level == LogLevel.Error)];
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_callback_that_throws_the_failure_of_another_call_has_not_chosen_its_status(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("ClientContinuationFailed");
        var sut = Start(scene);
        Service.OnImport = static (_, _, _) => throw new MuxException(MuxStatus.NotFound, "a secret");
        var other = await Assert.ThrowsAsync<MuxException>(() => ImportAsync(sut));
        Assert.Equal(MuxStatus.NotFound, other.Status);
        Callback.OnAsk = (_, _) => throw other;
        var failure = await FailureOfAsync(sut);
        Assert.Equal(MuxStatus.Unknown, failure.Status);
        Assert.DoesNotContain("secret", failure.Message, StringComparison.Ordinal);
        Assert.Contains(scene.Logs.Of("ClientContinuationFailed"), entry => entry.Error == other);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_gets_as_much_of_a_long_message_as_may_be_sent(TransportKind kind)
    {
        Callback.OnAsk = static (_, _) => throw new MuxException(MuxStatus.NotFound, new string('a', 1_024) + "b");
        var failure = await FailureOfAsync(Start(Begin(kind)));
        Assert.Equal(MuxStatus.NotFound, failure.Status);
        Assert.Equal(new string('a', 1_024), failure.Message);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_that_lets_the_failure_of_a_callback_pass_has_not_chosen_its_status(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        Callback.OnAsk = static (_, _) => throw new MuxException(MuxStatus.NotFound, "no such row");
        Service.OnImport = static async (_, progress, token) => (await progress.Ask("?", token)).Length;
        var failure = await Assert.ThrowsAsync<MuxException>(() => ImportAsync(Start(scene)));
        Assert.Equal(MuxStatus.Unknown, failure.Status);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_that_fails_fails_the_call_while_a_callback_runs(TransportKind kind)
    {
        var cancelled = new Signal("the token of the callback");
        Callback.OnAsk = WaitForCancel(cancelled);
        Service.OnImport = async (_, progress, token) =>
        {
            var asked = progress.Ask("?", token);
            await Callback.Questions.ReachAsync(1);
            Assert.False(asked.IsCompleted);
            throw new MuxException(MuxStatus.DataLoss, "the disk is gone");
        };
        var failure = await Assert.ThrowsAsync<MuxException>(() => ImportAsync(Start(Begin(kind))));
        Assert.Equal((MuxStatus.DataLoss, "the disk is gone"), (failure.Status, failure.Message));
        await cancelled.WaitAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task One_callback_more_than_may_be_unanswered_fails_at_once_and_is_not_executed(TransportKind kind)
    {
        var release = new Signal("the release of the callbacks");
        Callback.OnAsk = async (question, _) =>
        {
            await release.WaitAsync();
            return question;
        };
        MuxException? failure = null;
        Service.OnImport = async (_, progress, token) =>
        {
            var asked = Enumerable.Range(0, Most).Select(i => progress.Ask($"{i}", token).AsTask()).ToList();
            failure = await Assert.ThrowsAsync<MuxException>(() => progress.Ask("one more", token).AsTask());
            release.Set();
            await Task.WhenAll(asked);
            return (await progress.Ask("after them", token)).Length;
        };
        Assert.Equal("after them".Length, await ImportAsync(Start(Begin(kind))));
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (failure!.Status, failure.Execution));
        Assert.Contains($"{Most} callbacks of the call have no answer", failure.Message, StringComparison.Ordinal);
        Assert.Equal(Most + 1, Callback.Seen.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_callback_after_the_end_of_its_call_fails_and_is_not_executed(TransportKind kind)
    {
        IProgress? kept = null;
        Service.OnImport = (_, progress, _) =>
        {
            kept = progress;
            return new(1);
        };
        await ImportAsync(Start(Begin(kind)));
        await Eventually.Holds(() => kept!.Ask("too late", TestContext.Current.CancellationToken).AsTask() is { IsFaulted: true, Exception: not null }, "the call to have ended at the server");
        var failures = new[]
        {
            await Assert.ThrowsAsync<MuxException>(() => kept!.Ask("too late", TestContext.Current.CancellationToken).AsTask()),
            await Assert.ThrowsAsync<MuxException>(() => kept!.Report(1).AsTask()),
        };
        Assert.All(failures, static failure => Assert.Equal((MuxStatus.FailedPrecondition, MuxExecution.NotExecuted), (failure.Status, failure.Execution)));
        Assert.Contains("the call has ended", failures[0].Message, StringComparison.Ordinal);
        Assert.Empty(Callback.Seen);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Null_is_no_callback_and_fails_the_call_unexecuted(TransportKind kind)
    {
        var sut = Start(Begin(kind));
        var failure = await Assert.ThrowsAsync<MuxException>(() => sut.Import("file", null!, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call without its callback"));
        Assert.Equal((MuxStatus.InvalidArgument, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
        Assert.Contains("a callback is null", failure.Message, StringComparison.Ordinal);
        Assert.Equal(1, await sut.Echo(1, TestContext.Current.CancellationToken).AsTask().Within("a call after it"));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Null_as_an_argument_or_result_of_a_callback_fails_it_alone(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("ClientContinuationFailed");
        Callback.OnAsk = static (_, _) => new((string)null!);
        var failures = new List<MuxException>();
        Service.OnImport = async (_, progress, token) =>
        {
            failures.Add(await Assert.ThrowsAsync<MuxException>(() => progress.Ask(null!, token).AsTask()));
            await progress.Advance();
            return 1;
        };
        Assert.Equal(1, await ImportAsync(Start(scene)));
        Assert.Equal((MuxStatus.InvalidArgument, MuxExecution.NotExecuted), (failures[0].Status, failures[0].Execution));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_callback_that_blocks_holds_up_neither_its_cancellation_nor_other_calls(TransportKind kind)
    {
        var sut = Start(Begin(kind));
        Callback.OnAsk = static (_, token) =>
        {
            token.WaitHandle.WaitOne();
            throw new OperationCanceledException(token);
        };
        Service.OnImport = async (_, progress, token) =>
        {
            using var cancellation = CancellationTokenSource.CreateLinkedTokenSource(token);
            var asked = progress.Ask("?", cancellation.Token).AsTask();
            await Callback.Questions.ReachAsync(1);
            for (int i = 0; i < 20; i++) Assert.Equal(i, await sut.Echo(i, token).AsTask().Within("a call during the callback"));
            await cancellation.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asked);
            await progress.Advance();
            return 1;
        };
        Assert.Equal(1, await ImportAsync(sut));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_callback_may_dispose_its_channel(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        var sut = Start(scene, static options => options.DrainTimeout = TimeSpan.FromMilliseconds(50));
        var disposed = new Signal("the end of the disposal");
        Callback.OnAsk = async (question, _) =>
        {
            await scene.Channels[0].DisposeAsync();
            disposed.Set();
            return question;
        };
        Service.OnImport = static async (_, progress, token) => (await progress.Ask("?", token)).Length;
        var failure = await Assert.ThrowsAsync<MuxException>(() => ImportAsync(sut));
        Assert.Equal(MuxStatus.Unavailable, failure.Status);
        await disposed.WaitAsync();
    }

    /// <summary>A callback that ends when its token is cancelled.</summary>
    private static Func<string, CancellationToken, ValueTask<string>> WaitForCancel(Signal cancelled) => async (_, token) =>
    {
        await using var registration = token.Register(cancelled.Set);
        await cancelled.WaitAsync();
        throw new OperationCanceledException(token);
    };

    /// <summary>What a handler is told that asks.</summary>
    private async Task<MuxException> FailureOfAsync(IImports sut)
    {
        MuxException? failure = null;
        Service.OnImport = async (_, progress, token) =>
        {
            failure = await Assert.ThrowsAsync<MuxException>(() => progress.Ask("?", token).AsTask());
            return 1;
        };
        Assert.Equal(1, await ImportAsync(sut));
        return failure!;
    }
}
