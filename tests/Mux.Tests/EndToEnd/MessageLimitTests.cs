using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.EndToEnd;

/// <summary>Messages above what the peer takes fail at their sender, and say what to do about it.</summary>
public sealed class MessageLimitTests : EndToEndTests
{
    private const int Limit = 16_384;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_request_above_the_limit_of_the_server_fails_before_it_is_sent(TransportKind kind)
    {
        const int Field = 3; // tag and length of the bytes
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.MaxMessageBytes = Limit);
        var channel = scene.CreateChannel(server);
        var sut = channel.CreateProxy<IDesk>();
        await sut.AskPlainly(new Question { Bytes = new byte[Limit - Field] });
        var error = await sut.AskPlainly(new Question { Bytes = new byte[Limit - Field + 1] }).FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Encode);
        Assert.Contains($"The request of test.Desk/AskPlainly is {Limit + 1} bytes; the peer's MaxMessageBytes is {Limit}.", error.Message, StringComparison.Ordinal);
        await sut.AskPlainly(new Question());
        Assert.Equal(2, server.GetStatistics().CallsStarted);
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_reply_above_the_limit_of_the_client_fails_its_call_alone(TransportKind kind)
    {
        const int Field = 3;
        var scene = Begin(kind);
        var desk = new Desk { OnAsk = (question, _) => new(new Answer { Bytes = new byte[question.Id] }) };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var sut = scene.CreateChannel(server, options => options.MaxMessageBytes = Limit).CreateProxy<IDesk>();
        Func<int, Task<Answer>>[] waysToAsk =
        [
            size => sut.AskInline(new Question { Id = size }, TestContext.Current.CancellationToken).AsTask(),
            size => sut.AskOnPool(new Question { Id = size }, TestContext.Current.CancellationToken).AsTask(),
        ];
        foreach (var ask in waysToAsk)
        {
            Assert.Equal(Limit - Field, (await ask(Limit - Field)).Bytes!.Length);
            foreach (int size in new[] { Limit - Field + 1, 1_000_000 })
            {
                var error = await ask(size).FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Handler);
                Assert.Contains($"The reply of test.Desk/{(ask == waysToAsk[0] ? "AskInline" : "AskOnPool")} is ", error.Message, StringComparison.Ordinal);
                Assert.Contains($"the caller's MaxMessageBytes is {Limit}.", error.Message, StringComparison.Ordinal);
            }
        }

        Assert.Equal(1, scene.Transport.Dialed.Count);
    }
}
