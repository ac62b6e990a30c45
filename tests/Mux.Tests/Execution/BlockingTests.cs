using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Execution;

/// <summary>User code that blocks where the engine receives: the effect is bounded, whatever it waits for.</summary>
public sealed class BlockingTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_continuation_may_block_on_a_reply_of_its_own_connection(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.Dispatch = MuxDispatchMode.Inline);
        var sut = scene.CreateChannel(server, options => options.Dispatch = MuxDispatchMode.Inline).CreateProxy<IDesk>();

        for (int id = 0; id < 20; id++) Assert.Equal((id, -id), await AskTwiceAsync(id).Within($"the replies to call {id} and the one behind it"));

        async Task<(int First, int Second)> AskTwiceAsync(int id)
        {
            var first = await sut.AskPlainly(new Question { Id = id }).ConfigureAwait(false); // goes on where the reply was received
#pragma warning disable VSTHRD002, VSTHRD103, CA1849, MUX0049 // blocking is what is tested
            var second = sut.AskPlainly(new Question { Id = -id }).AsTask().GetAwaiter().GetResult();
#pragma warning restore VSTHRD002, VSTHRD103, CA1849, MUX0049
            return (first.Id, second.Id);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_that_blocks_holds_up_neither_its_connection_nor_others(TransportKind kind)
    {
        var (blocked, end) = (new Signal("the handler that blocks"), new Signal("its end"));
        var scene = Begin(kind);
        var desk = new Desk
        {
            OnAsk = (question, _) =>
            {
                if (question.Id == 1)
                {
                    blocked.Set();
                    end.Wait();
                }

                return new(new Answer { Id = question.Id });
            },
        };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.Dispatch = MuxDispatchMode.Inline);
        var (sut, other) = (scene.CreateChannel(server).CreateProxy<IDesk>(), scene.CreateChannel(server).CreateProxy<IDesk>());
        await other.AskPlainly(new Question());
        var call = sut.AskPlainly(new Question { Id = 1 }).AsTask();
        await blocked.WaitAsync();

        for (int id = 2; id < 200; id++)
        {
            Assert.Equal(id, (await sut.AskPlainly(new Question { Id = id }).AsTask().Within($"the reply to call {id} behind the blocked one")).Id);
            Assert.Equal(id, (await other.AskPlainly(new Question { Id = id }).AsTask().Within($"the reply to call {id} on the other connection")).Id);
        }

        Assert.False(call.IsCompleted);
        end.Set();
        Assert.Equal(1, (await call.Within("the reply of the handler that had blocked")).Id);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_may_throw_after_its_turn_was_taken_over(TransportKind kind)
    {
        var (blocked, end) = (new Signal("the handler that blocks"), new Signal("its end"));
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        var desk = new Desk
        {
            OnAsk = (_, _) =>
            {
                blocked.Set();
                end.Wait();
                throw new InvalidOperationException("late");
            },
        };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.Dispatch = MuxDispatchMode.Inline);
        var sut = scene.CreateChannel(server).CreateProxy<IDesk>();
        var call = sut.AskPlainly(new Question { Id = 1 }).AsTask();
        await blocked.WaitAsync();
        desk.OnAsk = (question, _) => new(new Answer { Id = question.Id });
        Assert.Equal(2, (await sut.AskPlainly(new Question { Id = 2 }).AsTask().Within("the reply behind the blocked one")).Id);
        end.Set();
        await call.Within("the failure").FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.Equal(3, (await sut.AskPlainly(new Question { Id = 3 })).Id);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Handlers_that_never_return_delay_others_by_a_moment_each(TransportKind kind)
    {
        const int Endless = 20;
        var end = new Signal("the end of the endless handlers");
        var started = new Counter("endless handlers");
        var scene = Begin(kind);
        var desk = new Desk
        {
            OnAsk = (question, _) =>
            {
                if (question.Id < 0)
                {
                    started.Add();
                    end.Wait();
                }

                return new(new Answer { Id = question.Id });
            },
        };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk)); // adaptive
        var sut = scene.CreateChannel(server).CreateProxy<IDesk>();
        for (int id = 0; id < 500; id++) await sut.AskPlainly(new Question { Id = id }); // until it runs in the turn
        var calls = Enumerable.Range(1, Endless).Select(id => sut.AskPlainly(new Question { Id = -id }).AsTask()).ToList();
        await started.ReachAsync(Endless);
        for (int id = 0; id < 100; id++) Assert.Equal(id, (await sut.AskPlainly(new Question { Id = id }).AsTask().Within($"the reply to call {id}")).Id);
        Assert.DoesNotContain(calls, call => call.IsCompleted);
        end.Set();
        await Task.WhenAll(calls).Within("the replies of the endless handlers");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_continuation_may_dispose_its_channel_and_wait_for_it(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var channel = scene.CreateChannel(server, options => options.Dispatch = MuxDispatchMode.Inline);
        Assert.Equal(7, await AskAndDisposeAsync().Within("the disposal in the continuation"));

        async Task<int> AskAndDisposeAsync()
        {
            var answer = await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 7 }).ConfigureAwait(false);
#pragma warning disable VSTHRD002, VSTHRD103, CA1849 // blocking is what is tested
            channel.DisposeAsync().AsTask().GetAwaiter().GetResult();
#pragma warning restore VSTHRD002, VSTHRD103, CA1849
            return answer.Id;
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_connection_may_be_lost_while_its_handler_blocks(TransportKind kind)
    {
        var (blocked, end) = (new Signal("the handler that blocks"), new Signal("its end"));
        var scene = Begin(kind);
        var desk = new Desk
        {
            OnAsk = (_, _) =>
            {
                blocked.Set();
                end.Wait();
                return new(new Answer());
            },
        };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.Dispatch = MuxDispatchMode.Inline);
        var channel = scene.CreateChannel(server, options => options.DrainTimeout = TimeSpan.Zero);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        await blocked.WaitAsync();
        long before = TurnMonitor.Shared.TakenOver;
        await channel.DisposeAsync();
        await Assert.ThrowsAsync<MuxException>(() => call);
        await Eventually.Holds(() => server.GetStatistics().OpenConnections == 0, "the end of the connection at the server");
        Assert.True(TurnMonitor.Shared.TakenOver >= before);
        end.Set();
    }
}
