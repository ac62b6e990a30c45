using System.Runtime.CompilerServices;
using Mux.Filters;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

/// <summary>A stream that is disposed while a read of it waits: the read ends, at the caller and in a handler.</summary>
public sealed class DisposedStreamTests : EndToEndTests
{
    private readonly Silent _service = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_read_of_a_callers_stream_ends_when_the_stream_is_disposed(TransportKind kind)
    {
        var scene = Begin(kind);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(_service))).CreateProxy<IMixed>();
        var items = sut.List(new Question(), TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await items.MoveNextAsync());
        var reading = items.MoveNextAsync().AsTask();

        await items.DisposeAsync();

        await Assert.ThrowsAsync<OperationCanceledException>(() => reading.Within("the read of a disposed stream"));
        await _service.Ended.WaitAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_read_behind_a_filter_ends_when_the_stream_is_disposed(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IMixed>(_service));
        var sut = scene.CreateChannel(server, options => options.Filters.Add(new Passing())).CreateProxy<IMixed>();
        var items = sut.List(new Question(), TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await items.MoveNextAsync());
        var reading = items.MoveNextAsync().AsTask();

        try
        {
            await items.DisposeAsync();
        }
        catch (OperationCanceledException)
        {
            // told here, too: the filters have ended with it
        }

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.Within("the read of a disposed stream"));
        await _service.Ended.WaitAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_read_of_a_handlers_request_stream_ends_when_the_handler_disposes_the_stream(TransportKind kind)
    {
        var scene = Begin(kind);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(_service))).CreateProxy<IMixed>();
        var never = new TaskCompletionSource();

        var answer = await sut.Sum(new Question(), Open(), TestContext.Current.CancellationToken).AsTask().Within("the answer of the handler");

        Assert.Equal("OperationCanceledException", answer.Text);
        never.SetResult();

        async IAsyncEnumerable<Question> Open()
        {
            yield return new();
            await never.Task;
        }
    }

    private sealed class Passing : MuxFilter
    {
        public override ValueTask RunAsync(MuxCall call, MuxNext next) => next.RunAsync(call);
    }

    /// <summary>Sends one item and no more.</summary>
    private sealed class Silent : IMixed
    {
        public Signal Ended { get; } = new("the end of the handler");

        public async IAsyncEnumerable<Answer> List(Question question, [EnumeratorCancellation] CancellationToken cancellationToken = default)
        {
            try
            {
                yield return new();
                await new TaskCompletionSource().Task.WaitAsync(cancellationToken);
            }
            finally
            {
                Ended.Set();
            }
        }

        public async ValueTask<Answer> Sum(Question question, IAsyncEnumerable<Question> items, CancellationToken cancellationToken = default)
        {
            var reader = items.GetAsyncEnumerator(CancellationToken.None);
            Assert.True(await reader.MoveNextAsync());
            var reading = reader.MoveNextAsync().AsTask();
            await reader.DisposeAsync();
            try
            {
                await reading;
                return new() { Text = "an item" };
            }
            catch (OperationCanceledException error)
            {
                return new() { Text = error.GetType().Name };
            }
        }

        public ValueTask<Answer> Ask(Question question, MuxCallOptions? options = null, CancellationToken cancellationToken = default) => default;

        public ValueTask Tell(Question question) => default;

        public IAsyncEnumerable<Answer> Talk(Question question, IAsyncEnumerable<Question> items, CancellationToken cancellationToken = default) =>
            AsyncEnumerable.Empty<Answer>();

        public ValueTask<Stream> Download(Question question, CancellationToken cancellationToken = default) => new(Stream.Null);
    }
}
