using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>Callers that do with a <see cref="ValueTask{TResult}"/> what they must not do harm nobody else: objects of calls are reused, but none that is in use.</summary>
public sealed class MisusedCallTests : EndToEndTests
{
    [Fact(Timeout = TestLimit)]
    public async Task A_result_that_is_asked_for_too_early_is_an_error_and_every_call_gets_its_own_reply()
    {
        var answer = new Signal("the answers");
        var sut = Start(Desk.AnsweringAfter(answer));
        var first = sut.AskPlainly(new Question { Id = 1 });
        var error = Assert.Throws<InvalidOperationException>(() => TakeResult(first));
        Assert.Equal("The call has not completed: await it. (AsTask().Result blocks until it has.)", error.Message);
        var second = sut.AskPlainly(new Question { Id = 2 });
        var third = sut.AskPlainly(new Question { Id = 3 });
        answer.Set();
        Assert.Equal((1, 2, 3), ((await first).Id, (await second).Id, (await third).Id));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_result_that_is_taken_twice_is_an_error_and_every_call_gets_its_own_reply()
    {
        var answer = new Signal("the answers");
        var desk = new Desk();
        var sut = Start(desk);
        var first = sut.AskPlainly(new Question { Id = 1 });
        Assert.Equal(1, (await first).Id);
        desk.OnAsk = Desk.AnsweringAfter(answer).OnAsk;
        var second = sut.AskPlainly(new Question { Id = 2 }); // takes the object of the first, if it is there
        var error = Assert.Throws<InvalidOperationException>(() => TakeResult(first));
        Assert.Equal("This call was awaited before; a ValueTask can be awaited once. Keep AsTask() to await it again.", error.Message);
        Assert.Equal(error.Message, (await Assert.ThrowsAsync<InvalidOperationException>(async () => await first)).Message);
        var third = sut.AskPlainly(new Question { Id = 3 });
        answer.Set();
        Assert.Equal((2, 3), ((await second).Id, (await third).Id));
    }

    private IDesk Start(Desk desk)
    {
        var scene = Begin(TransportKind.InMemory);
        return scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
    }

#pragma warning disable CA2012, VSTHRD002 // the misuse these tests are about; nothing is waited for
    private static Answer TakeResult(ValueTask<Answer> call) => call.GetAwaiter().GetResult();
#pragma warning restore CA2012, VSTHRD002
}
