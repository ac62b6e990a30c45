using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>Calls that are made together leave together.</summary>
public sealed class BatchTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_of_a_batch_are_one_send(TransportKind kind)
    {
        const int Calls = 100;
        var scene = Begin(kind);
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(new Desk())));
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        var sut = channel.CreateProxy<IDesk>();
        await sut.AskPlainly(new Question()); // the method is known to the server
        await Task.Yield(); // behind the await it would be sent together anyway
        long before = channel.GetStatistics().Sends;
        var calls = Make(sut, Calls);
        Assert.Equal(before + 1, channel.GetStatistics().Sends);
        for (int id = 0; id < Calls; id++) Assert.Equal(id, (await calls[id].Within($"the reply to call {id}")).Id);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task The_outermost_of_nested_batches_sends(TransportKind kind)
    {
        var scene = Begin(kind);
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(new Desk())));
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        var sut = channel.CreateProxy<IDesk>();
        await Task.Yield();
        long before = channel.GetStatistics().Sends;
        Task<Answer>[] calls;
        using (MuxBatch.Begin())
        {
            calls = Make(sut, 3);
            Assert.Equal(before, channel.GetStatistics().Sends);
        }

        Assert.Equal(before + 1, channel.GetStatistics().Sends);
        await Task.WhenAll(calls).Within("the replies");
    }

    private static Task<Answer>[] Make(IDesk desk, int calls)
    {
        using var batch = MuxBatch.Begin();
        return [.. Enumerable.Range(0, calls).Select(id => desk.AskPlainly(new Question { Id = id }).AsTask())];
    }
}
