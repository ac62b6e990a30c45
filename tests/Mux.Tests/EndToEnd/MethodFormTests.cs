using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.EndToEnd;

/// <summary>Every form a method may have, from proxy to handler and back.</summary>
public sealed class MethodFormTests : EndToEndTests
{
    private readonly Forms _forms = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Methods_without_a_result_complete_when_their_handler_has_run(TransportKind kind)
    {
        var sut = Start(kind);
        await sut.Empty();
        await sut.EmptyAsTask(TestContext.Current.CancellationToken);
        await sut.Store(new Question { Text = "kept" }, 3);
        Assert.Equal(["kept", "kept", "kept"], _forms.Stored);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Values_and_structs_come_back_as_they_went(TransportKind kind)
    {
        var sut = Start(kind);
        Assert.Equal(int.MinValue, await sut.Number(int.MinValue));
        Assert.Equal(0, await sut.NumberAsTask(0, TestContext.Current.CancellationToken));
        Assert.Equal(new Point(-1, 70_000), await sut.Struct(new Point(-1, 70_000)));
        Assert.Equal(new Point(0, 0), await sut.MaybeStruct(new Point(0, 0), TestContext.Current.CancellationToken));
        Assert.Null(await sut.MaybeStruct(null, TestContext.Current.CancellationToken));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Texts_and_bytes_come_back_as_they_went(TransportKind kind)
    {
        var sut = Start(kind);
        byte[] bytes = [.. Enumerable.Range(0, 60_000).Select(i => (byte)i)];
        Assert.Equal("Grüße, 世界", await sut.Text("Grüße, 世界", TestContext.Current.CancellationToken));
        Assert.Equal(string.Empty, await sut.Text(string.Empty, TestContext.Current.CancellationToken));
        Assert.Null(await sut.Text(null, TestContext.Current.CancellationToken));
        Assert.Equal(bytes, await sut.Bytes(bytes));
        Assert.Null(await sut.Bytes(null));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Messages_come_back_as_they_went(TransportKind kind)
    {
        var sut = Start(kind);
        var question = new Question { Id = 7, Text = "text", Bytes = [1, 2, 3], Names = ["a", "b"] };
        var answer = await sut.Message(question);
        var later = await sut.MessageAsTask(question, TestContext.Current.CancellationToken);
        Assert.Equivalent(question, answer, strict: true);
        Assert.Equivalent(question, later, strict: true);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Several_arguments_arrive_each_in_its_place(TransportKind kind)
    {
        var sut = Start(kind);
        Assert.Equal([new Point(3, 12), new Point(3, 13)], await sut.Several(1, [10, 11], new Point(2, 0), "ab", TestContext.Current.CancellationToken));
        Assert.Equal([new Point(1, 10)], await sut.Several(1, [10], null, null, TestContext.Current.CancellationToken));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task One_way_methods_reach_their_handlers_and_tell_nobody(TransportKind kind)
    {
        var sut = Start(kind);
        await sut.Post("first");
        await _forms.Posted.ReachAsync(1);
        await sut.Post("second");
        await _forms.Posted.ReachAsync(2);
        await sut.PostAsTask(3, "number ", TestContext.Current.CancellationToken);
        await _forms.Posted.ReachAsync(3);
        Assert.Equal(["first", "second", "number 3"], _forms.Stored);
    }

    private IForms Start(TransportKind kind)
    {
        var scene = Begin(kind);
        return scene.CreateChannel(scene.StartServer(server => server.AddService<IForms>(_forms))).CreateProxy<IForms>();
    }
}
