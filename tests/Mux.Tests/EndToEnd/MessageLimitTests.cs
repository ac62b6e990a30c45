using System.Runtime.CompilerServices;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

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
        Assert.Contains($"(ResourceExhausted, not executed): The request is {Limit + 1} bytes; MaxMessageBytes of the server (MuxServerOptions) is {Limit}.", error.Message, StringComparison.Ordinal);
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
                var method = $"test.Desk/{(ask == waysToAsk[0] ? "AskInline" : "AskOnPool")}";
                Assert.StartsWith($"{method} at {error.Endpoint} failed (ResourceExhausted, executed): The reply is ", error.Message, StringComparison.Ordinal);
                Assert.Contains($"MaxMessageBytes of the client (MuxChannelOptions) is {Limit}.", error.Message, StringComparison.Ordinal);
                await Eventually.Holds(
                    () => scene.Logs.Of("ReplyTooLarge").Any(told => told.Text.Contains(method, StringComparison.Ordinal)), $"the log to name {method}");
            }
        }

        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task An_item_above_the_limit_of_either_side_fails_its_call_with_the_method_and_the_side(TransportKind kind)
    {
        const int Size = 2 * Limit;
        var token = TestContext.Current.CancellationToken;
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IMixed>(new Generous()), options => options.MaxMessageBytes = Limit);
        var sut = scene.CreateChannel(server, options => options.MaxMessageBytes = Limit).CreateProxy<IMixed>();
        var down = await Assert.ThrowsAsync<MuxException>(async () =>
        {
            await foreach (var answer in sut.List(new Question { Id = Size }, token)) Assert.NotNull(answer);
        });
        var up = await Assert.ThrowsAsync<MuxException>(async () => await sut.Sum(new Question(), AsyncEnumerable.Repeat(new Question { Bytes = new byte[Size] }, 1), token));
        TestContext.Current.TestOutputHelper!.WriteLine($"{down.Message}\n{up.Message}");
        Assert.StartsWith($"t.Mixed/List at {down.Endpoint} failed (ResourceExhausted, executed): An item is ", down.Message, StringComparison.Ordinal);
        Assert.Contains($"MaxMessageBytes of the client (MuxChannelOptions) is {Limit}.", down.Message, StringComparison.Ordinal);
        Assert.StartsWith($"t.Mixed/Sum at {up.Endpoint} failed (ResourceExhausted, ", up.Message, StringComparison.Ordinal);
        Assert.Contains($"MaxMessageBytes of the server (MuxServerOptions) is {Limit}.", up.Message, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("reply", "test.Desk/AskInline", "The reply is ", "MaxMessageBytes")]
    [InlineData("metadata", "t.Mixed/Ask", "The metadata of the reply is charged 40033 bytes, ", "MaxMetadataBytes")]
    [InlineData("item", "t.Mixed/List", "An item is ", "MaxMessageBytes")]
    public async Task The_log_says_which_part_of_an_answer_was_too_large_and_for_which_limit(string part, string method, string length, string limit)
    {
        const int Size = 40_000;
        var token = TestContext.Current.CancellationToken;
        var scene = Begin(TransportKind.InMemory);
        var desk = new Desk { OnAsk = static (question, _) => new(new Answer { Bytes = new byte[question.Id] }) };
        var server = scene.StartServer(server => server.AddService<IMixed>(new Generous()).AddService<IDesk>(desk));
        var channel = scene.CreateChannel(server, options => options.MaxMessageBytes = Limit);
        var (question, mixed) = (new Question { Id = Size }, channel.CreateProxy<IMixed>());
        Task call = part switch
        {
            "reply" => channel.CreateProxy<IDesk>().AskInline(question, token).AsTask(),
            "metadata" => mixed.Ask(question, new MuxCallOptions { ResponseMetadata = [] }, token).AsTask(),
            _ => mixed.List(question, token).CountAsync(token).AsTask(),
        };

        var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure"));

        var told = Assert.Single(await scene.Logs.ReachAsync("ReplyTooLarge"));
        Assert.Equal((part, method), (told.Field("Part"), told.Field("Method")));
        var reason = told.Field("Reason")!;
        Assert.StartsWith(length, reason, StringComparison.Ordinal);
        Assert.Contains($"{limit} of the client (MuxChannelOptions) is ", reason, StringComparison.Ordinal);
        Assert.EndsWith(reason, error.Message, StringComparison.Ordinal);
        Assert.Equal($"A call of {method} failed, because its {part} is larger than {told.Field("Peer")} accepts. {reason}", told.Text);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Metadata_above_the_limit_of_either_side_is_told_with_its_option(TransportKind kind)
    {
        var token = TestContext.Current.CancellationToken;
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IMixed>(new Generous()), options => options.MaxMetadataBytes = 200);
        var sut = scene.CreateChannel(server, options => options.MaxMetadataBytes = 300).CreateProxy<IMixed>();
        var large = new MuxMetadata();
        large.Add("k", new byte[400]);
        var up = await sut.Ask(new Question(), new MuxCallOptions { Metadata = large }, token)
            .FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Encode);
        var down = await sut.Ask(new Question { Id = 400 }, new MuxCallOptions { ResponseMetadata = [] }, token)
            .FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.EndsWith("failed (ResourceExhausted, not executed): The metadata of the request is charged 433 bytes, 32 of them for each entry; MaxMetadataBytes " +
            "of the server (MuxServerOptions) is 200. Send less, or raise it there.", up.Message, StringComparison.Ordinal);
        Assert.Equal($"t.Mixed/Ask at {down.Endpoint} failed (ResourceExhausted, executed): The metadata of the reply is charged 433 bytes, 32 of them for each " +
            "entry; MaxMetadataBytes of the client (MuxChannelOptions) is 300. Send less, or raise it there.", down.Message);
    }

    /// <summary>Sends one item, or metadata, of the size that is asked for.</summary>
    private sealed class Generous : IMixed
    {
        public async IAsyncEnumerable<Answer> List(Question question, [EnumeratorCancellation] CancellationToken cancellationToken = default)
        {
            await Task.Yield();
            yield return new Answer { Bytes = new byte[question.Id] };
        }

        public async ValueTask<Answer> Sum(Question question, IAsyncEnumerable<Question> items, CancellationToken cancellationToken = default) =>
            new() { Id = await items.CountAsync(cancellationToken) };

        public ValueTask<Answer> Ask(Question question, MuxCallOptions? options = null, CancellationToken cancellationToken = default)
        {
            options!.ResponseMetadata?.Add("k", new byte[question.Id]);
            return new(new Answer());
        }

        public ValueTask Tell(Question question) => default;

        public IAsyncEnumerable<Answer> Talk(Question question, IAsyncEnumerable<Question> items, CancellationToken cancellationToken = default) =>
            AsyncEnumerable.Empty<Answer>();

        public ValueTask<Stream> Download(Question question, CancellationToken cancellationToken = default) => new(Stream.Null);
    }
}
