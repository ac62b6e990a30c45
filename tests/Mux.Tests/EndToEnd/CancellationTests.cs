using Mux.Engine;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

/// <summary>The caller's token ends the call wherever it is by then, and the caller gets its own token back.</summary>
public sealed class CancellationTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_token_cancelled_before_the_call_ends_it_before_it_begins(TransportKind kind)
    {
        var scene = Begin(kind);
        var sut = Start(scene, new Desk());
        using var cancellation = new CancellationTokenSource();
        await cancellation.CancelAsync();
        await AssertCancelledAsync(sut.Ask(new Question(), cancellation.Token).AsTask(), cancellation);
        await AssertCancelledAsync(sut.Tell(new Question(), cancellation.Token).AsTask(), cancellation);
        Assert.Equal(0, scene.Transport.Dialed.Count);
        Assert.Equal(0, scene.Channels[0].GetStatistics().CallsStarted);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_that_waits_for_its_connection_is_cancelled_at_once(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.Disposed);
        scene.DialsElsewhere = 1;
        var sut = scene.CreateChannel(scene.NobodysAddress(), options => options.Transport = new UnansweredTransport()).CreateProxy<IDesk>();
        using var cancellation = new CancellationTokenSource();
        var call = sut.Ask(new Question(), cancellation.Token).AsTask();
        Assert.False(call.IsCompleted);
        await cancellation.CancelAsync();
        await AssertCancelledAsync(call, cancellation);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_that_waits_for_a_slot_is_cancelled_and_never_sent(TransportKind kind)
    {
        var scene = Begin(kind);
        var answer = new Signal("the end of the first call");
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.MaxCallsPerConnection = 1);
        var channel = scene.CreateChannel(server, options => options.MaxConnections = 1);
        var sut = channel.CreateProxy<IDesk>();
        var first = sut.AskPlainly(new Question { Id = 1 }).AsTask();
        await desk.Started.ReachAsync(1);
        using var cancellation = new CancellationTokenSource();
        var second = sut.Ask(new Question { Id = 2 }, cancellation.Token).AsTask();
        var third = sut.AskPlainly(new Question { Id = 3 }).AsTask();
        Assert.Equal(2, channel.GetStatistics().CallsWaiting);
        await cancellation.CancelAsync();
        await AssertCancelledAsync(second, cancellation);
        Assert.Equal(1, channel.GetStatistics().CallsWaiting);
        answer.Set();
        Assert.Equal((1, 3), ((await first).Id, (await third).Id));
        Assert.Equal(2, server.GetStatistics().CallsStarted);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task An_open_call_is_cancelled_at_once_and_its_handler_is_told(TransportKind kind)
    {
        var scene = Begin(kind);
        var told = new Signal("the token of the handler");
        var goOn = new Signal("the end of the handler");
        var desk = new Desk
        {
            OnAsk = async (_, token) =>
            {
                using var registration = token.Register(told.Set);
                await goOn.WaitAsync();
                token.ThrowIfCancellationRequested();
                return new Answer();
            },
        };
        var sut = Start(scene, desk);
        using var cancellation = new CancellationTokenSource();
        var call = sut.Ask(new Question(), cancellation.Token).AsTask();
        await desk.Started.ReachAsync(1);
        await cancellation.CancelAsync();
        await AssertCancelledAsync(call, cancellation);
        await told.WaitAsync();
        goOn.Set();
        await Eventually.Holds(() => scene.Channels[0].GetStatistics().LateReplies == 1, "the late end of the cancelled call");
        Assert.Equal(1, scene.Transport.Dialed.Count);
        Assert.Contains(scene.Meters.Read(), reading => reading.Instrument == "mux.server.calls" && reading.Tag("rpc.status_code") == "CANCELLED" && reading.Value == 1);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_handler_that_blocks_on_what_its_caller_cancels_has_not_failed(bool isWrapped)
    {
        var scene = Begin(TransportKind.InMemory);
        var desk = new Desk
        {
            OnAsk = (_, token) =>
            {
                var never = new TaskCompletionSource().Task.WaitAsync(token);
                try
                {
#pragma warning disable VSTHRD002 // what the handler of the test does
                    never.Wait(CancellationToken.None);
#pragma warning restore VSTHRD002
                }
                catch (AggregateException error) when (isWrapped)
                {
                    throw new InvalidOperationException("The order failed.", error);
                }

                return default;
            },
        };
        var sut = Start(scene, desk);
        using var cancellation = new CancellationTokenSource();
        var call = sut.AskOnPool(new Question(), cancellation.Token).AsTask();
        await desk.Started.ReachAsync(1);
        await cancellation.CancelAsync();

        await AssertCancelledAsync(call, cancellation);
        await Eventually.Holds(() => scene.Channels[0].GetStatistics().LateReplies == 1, "the late end of the cancelled call");
        Assert.Contains(scene.Meters.Read(), reading => reading.Instrument == "mux.server.calls" && reading.Tag("rpc.status_code") == "CANCELLED" && reading.Value == 1);
        Assert.Empty(scene.Logs.Of("HandlerFailed"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_handler_that_fails_in_another_way_too_when_its_caller_cancels_has_failed()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("HandlerFailed");
        var goOn = new Signal("the cancel of the caller");
        var desk = new Desk
        {
            OnAsk = async (_, token) =>
            {
                await using (token.Register(goOn.Set)) await goOn.WaitAsync();
                throw new AggregateException(new OperationCanceledException(token), new ArgumentException("The other one."));
            },
        };
        var sut = Start(scene, desk);
        using var cancellation = new CancellationTokenSource();
        var call = sut.Ask(new Question(), cancellation.Token).AsTask();
        await desk.Started.ReachAsync(1);
        await cancellation.CancelAsync();

        await AssertCancelledAsync(call, cancellation);
        await Eventually.Holds(() => scene.Logs.Of("HandlerFailed").Any(), "the log of the failure");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_without_a_token_runs_to_its_end_for_nobody(TransportKind kind)
    {
        var scene = Begin(kind);
        var answer = new Signal("the end of the handler");
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IForms>(new Forms()).AddService<IDesk>(desk), options => options.MaxCallsPerConnection = 1);
        var channel = scene.CreateChannel(server, options => options.MaxConnections = 1);
        using var cancellation = new CancellationTokenSource();
        var call = channel.CreateProxy<IDesk>().AskOnPool(new Question(), cancellation.Token).AsTask();
        await desk.Started.ReachAsync(1);
        await cancellation.CancelAsync();
        await AssertCancelledAsync(call, cancellation);

        // Its slot is free again only when its handler has returned: the limit bounds handlers, not patience.
        var next = channel.CreateProxy<IForms>().Number(1).AsTask();
        Assert.Equal(1, channel.GetStatistics().CallsWaiting);
        answer.Set();
        Assert.Equal(1, await next.Within("the call behind"));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Cancelling_after_the_reply_changes_nothing(TransportKind kind)
    {
        var sut = Start(Begin(kind), new Desk());
        using var cancellation = new CancellationTokenSource();
        var call = sut.Ask(new Question { Id = 5 }, cancellation.Token).AsTask();
        await Eventually.Holds(() => call.IsCompleted, "the reply");
        await cancellation.CancelAsync();
        Assert.Equal(5, (await call).Id);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Cancellations_race_their_replies_by_the_ten_thousand_and_no_reply_is_crossed(TransportKind kind)
    {
        int calls = 20_000 * Seeds.Effort; // of each transport
        const int Callers = 32;
        var scene = Begin(kind);
        var desk = new Desk
        {
            OnAsk = async (question, token) =>
            {
                if (question.Id % 4 == 0) await Task.Yield();
                if (question.Id % 8 == 0) token.ThrowIfCancellationRequested();
                return new Answer { Id = question.Id };
            },
        };
        var sut = Start(scene, desk);
        int seed = TestSeed.Next();
        int next = 0, cancelled = 0;
        await Task.WhenAll(Enumerable.Range(0, Callers).Select(caller => Task.Run(() => CallAsync(new Random(seed + caller)))));

        var statistics = scene.Channels[0].GetStatistics();
        TestContext.Current.TestOutputHelper!.WriteLine($"{cancelled} of {calls} calls were cancelled, {statistics.LateReplies} replies came late.");
        Assert.Equal(calls, statistics.CallsStarted);
        Assert.InRange(cancelled, 1, calls - 1);
        Assert.Equal(1, scene.Transport.Dialed.Count);
        Assert.Equal(0, statistics.ProtocolErrors);

        async Task CallAsync(Random random)
        {
            while (Interlocked.Increment(ref next) is var id && id <= calls)
            {
                using var cancellation = new CancellationTokenSource();
                var call = sut.Ask(new Question { Id = id }, cancellation.Token).AsTask();
                if (random.Next(2) == 0) await Task.Yield();
                if (random.Next(4) == 0) Thread.SpinWait(random.Next(2000));
                if (random.Next(4) != 0) cancellation.Cancel();
                await ((Task)call).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                if (!call.IsCanceled)
                {
                    Assert.Equal(id, (await call).Id);
                    continue;
                }

                Interlocked.Increment(ref cancelled);
                if (id % 100 == 0) await AssertCancelledAsync(call, cancellation); // exceptions are slow
            }
        }
    }

    private static IDesk Start(Scene scene, Desk desk) => scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();

    private static async Task AssertCancelledAsync(Task call, CancellationTokenSource cancellation)
    {
        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("the end of the cancelled call"));
        Assert.Equal(cancellation.Token, error.CancellationToken);
    }
}
