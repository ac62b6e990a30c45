using Mux.TestSupport.EndToEnd;
using Tests.Services;

namespace Mux.Proto.Tests.Calls;

/// <summary>Calls of all shapes by an imported contract.</summary>
public sealed class DeskTests : EndToEndTests
{
    private readonly Desk _desk = new();

    [Theory(Timeout = TestLimit)]
    [InlineData(TransportKind.InMemory)]
    [InlineData(TransportKind.Tcp)]
    public async Task Calls_of_all_shapes_carry_imported_messages(TransportKind kind)
    {
        var sut = Start(kind);
        var token = TestContext.Current.CancellationToken;
        var answer = await sut.Ask(new Question { Text = "a", Count = -3 }, token);
        Assert.Equal(("a!", -3), (answer.Text, answer.Point!.X));
        Assert.Equal([0, -1, -2], (await sut.List(new Question { Count = 3 }, token).ToListAsync(token)).Select(static item => item.Point!.X));
        Assert.Equal("b c", (await sut.Collect(Questions("b", "c"), token)).Text);
        Assert.Equal(["d!", "e!"], (await sut.Talk(Questions("d", "e"), token).ToListAsync(token)).Select(static item => item.Text));
        Assert.Equal([(1, 0), (0, -1)], (await sut.Watch(token).ToListAsync(token)).Select(static item => (item.X, item.Y)));
        await sut.Tell(new Question(), token);
        await _desk.Told.ReachAsync(1);
        Assert.Equal("f!", (await sut.Old(new Question { Text = "f" }, token)).Text);
    }

    [Fact(Timeout = TestLimit)]
    public async Task An_empty_message_is_no_argument_and_no_result()
    {
        var sut = Start();
        var token = TestContext.Current.CancellationToken;
        await sut.Ping(token);
        await sut.Reset(new Question(), token);
        Assert.Equal(7, (await sut.Count(token)).Value);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_detail_of_a_failure_is_the_message_that_the_file_names()
    {
        var error = await Assert.ThrowsAsync<MuxException>(() => Start().Refuse(new Question { Text = "closed" }, TestContext.Current.CancellationToken).AsTask());
        Assert.Equal((MuxStatus.FailedPrecondition, "closed"), (error.Status, Assert.IsType<Refusal>(error.Detail).Reason));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Streams_of_raw_bytes_are_streams()
    {
        var sut = Start();
        var token = TestContext.Current.CancellationToken;
        Assert.Equal("g 70000", (await sut.Upload(new Question { Text = "g" }, new MemoryStream(new byte[70_000]), token)).Text);
        using var bytes = new MemoryStream();
        await using var content = sut.Download(new Question { Count = 50_000 }, token);
        await content.CopyToAsync(bytes, token);
        Assert.Equal(50_000, bytes.Length);
    }

    private static async IAsyncEnumerable<Question> Questions(params string[] texts)
    {
        foreach (var text in texts)
        {
            await Task.Yield();
            yield return new Question { Text = text };
        }
    }

    private IDesk Start(TransportKind kind = TransportKind.InMemory)
    {
        var scene = Begin(kind);
        return scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(_desk))).CreateProxy<IDesk>();
    }
}
