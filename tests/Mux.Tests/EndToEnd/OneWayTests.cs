using System.Collections.Concurrent;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>Calls whose caller goes on as soon as the request is queued.</summary>
public sealed class OneWayTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_caller_does_not_wait_for_the_handler(TransportKind kind)
    {
        var goOn = new Signal("the end of the handler");
        var desk = new Desk { OnTell = async _ => await goOn.WaitAsync() };
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var sut = scene.CreateChannel(server).CreateProxy<IDesk>();
        await sut.Tell(new Question(), TestContext.Current.CancellationToken).AsTask().Within("the end of the call");
        await desk.Started.ReachAsync(1);
        Assert.Equal(1, server.GetStatistics().CallsActive);
        goOn.Set();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_failing_handler_is_logged_and_nobody_is_told(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        var desk = new Desk { OnTell = _ => throw new InvalidOperationException() };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
        await sut.Tell(new Question(), TestContext.Current.CancellationToken);
        await scene.Logs.ReachAsync("HandlerFailed");
        Assert.Equal(3, (await sut.AskPlainly(new Question { Id = 3 })).Id);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_beyond_the_limit_of_the_server_waits_until_it_can_be_queued(TransportKind kind)
    {
        var goOn = new Signal("the end of the handlers");
        var desk = new Desk { OnTell = async _ => await goOn.WaitAsync() };
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.MaxCallsPerConnection = 1);
        var sut = scene.CreateChannel(server, options => options.MaxConnections = 1).CreateProxy<IDesk>();
        await sut.Tell(new Question(), TestContext.Current.CancellationToken);
        var second = sut.Tell(new Question(), TestContext.Current.CancellationToken).AsTask();
        await desk.Started.ReachAsync(1);
        Assert.False(second.IsCompleted);
        goOn.Set();
        await second.Within("the end of the second call");
        await desk.Started.ReachAsync(2);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Ten_thousand_calls_all_arrive_once_and_in_order_unless_one_is_overtaken(TransportKind kind)
    {
        const int Calls = 10_000;
        var order = new ConcurrentQueue<int>();
        var desk = new Desk
        {
            OnTell = question =>
            {
                order.Enqueue(question.Id);
                return default;
            },
        };
        var scene = Begin(kind);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk), options => options.Dispatch = MuxDispatchMode.Inline)).CreateProxy<IDesk>();
        for (int id = 0; id < Calls; id++) await sut.Tell(new Question { Id = id }, TestContext.Current.CancellationToken);
        await desk.Started.ReachAsync(Calls);
        await Eventually.Holds(() => order.Count == Calls, "the last handler to finish");
        Assert.Equal(Enumerable.Range(0, Calls), kind == TransportKind.InMemory ? order : order.Order()); // only its links stay with a thread that the machine suspends
    }
}
