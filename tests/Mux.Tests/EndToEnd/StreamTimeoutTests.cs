using System.Runtime.CompilerServices;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>What limits the time of a stream: its contract and the options of its call, not the channel.</summary>
public sealed class StreamTimeoutTests : EndToEndTests
{
    private static readonly TimeSpan s_channel = TimeSpan.FromSeconds(5);

    private readonly ManualTime _time = new();
    private readonly Patient _service = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task The_time_limit_of_a_channel_ends_its_calls_and_no_stream(TransportKind kind)
    {
        var sut = Start(kind);
        await using var items = sut.List(new Question(), Token).GetAsyncEnumerator(Token);
        Assert.True(await items.MoveNextAsync());
        var sum = sut.Sum(new Question(), Upload(), Token).AsTask();
        await _service.Started.ReachAsync(2);
        var call = sut.Ask(new Question(), cancellationToken: Token).AsTask();
        await _service.Started.ReachAsync(3);

        for (int i = 0; i < 20; i++) _time.Advance(s_channel);

        await call.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        _service.Rest.Set();
        Assert.True(await items.MoveNextAsync().AsTask().Within("the item after the time limit of the channel"));
        Assert.Equal(7, (await sum.Within("the answer to the upload")).Id);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_timeout_in_the_options_of_its_call_ends_a_stream(TransportKind kind)
    {
        var sut = Start(kind);
        using var _ = new MuxCallOptions { Timeout = TimeSpan.FromSeconds(1) }.Apply();
        await using var items = sut.List(new Question(), Token).GetAsyncEnumerator(Token);
        Assert.True(await items.MoveNextAsync());
        var reading = items.MoveNextAsync().AsTask();

        _time.Advance(TimeSpan.FromSeconds(2));

        await reading.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        _service.Rest.Set();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task An_infinite_timeout_of_a_call_removes_that_of_its_channel(TransportKind kind)
    {
        var sut = Start(kind);
        var call = sut.Ask(new Question { Id = 3 }, new MuxCallOptions { Timeout = Timeout.InfiniteTimeSpan }, Token).AsTask();
        await _service.Started.ReachAsync(1);

        for (int i = 0; i < 20; i++) _time.Advance(s_channel);

        Assert.False(call.IsCompleted);
        _service.Rest.Set();
        Assert.Equal(3, (await call.Within("the answer")).Id);
    }

    private IMixed Start(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        var server = scene.StartServer(server => server.AddService<IMixed>(_service), options => options.KeepAliveTime = Timeout.InfiniteTimeSpan);
        return scene.CreateChannel(server, options => (options.CallTimeout, options.KeepAliveTime) = (s_channel, Timeout.InfiniteTimeSpan)).CreateProxy<IMixed>();
    }

    private async IAsyncEnumerable<Question> Upload()
    {
        yield return new() { Id = 3 };
        await _service.Rest.WaitAsync();
        yield return new() { Id = 4 };
    }

    private sealed class Patient : IMixed
    {
        public Signal Rest { get; } = new("the rest of the stream");

        public Counter Started { get; } = new("started handlers");

        public async ValueTask<Answer> Ask(Question question, MuxCallOptions? options = null, CancellationToken cancellationToken = default)
        {
            Started.Add();
            await Rest.WaitAsync();
            return new() { Id = question.Id };
        }

        public async IAsyncEnumerable<Answer> List(Question question, [EnumeratorCancellation] CancellationToken cancellationToken = default)
        {
            Started.Add();
            yield return new();
            await Rest.WaitAsync();
            yield return new();
        }

        public async ValueTask<Answer> Sum(Question question, IAsyncEnumerable<Question> items, CancellationToken cancellationToken = default)
        {
            Started.Add();
            return new() { Id = await items.Select(static item => item.Id).SumAsync(cancellationToken) };
        }

        public ValueTask Tell(Question question) => default;

        public IAsyncEnumerable<Answer> Talk(Question question, IAsyncEnumerable<Question> items, CancellationToken cancellationToken = default) =>
            AsyncEnumerable.Empty<Answer>();

        public ValueTask<Stream> Download(Question question, CancellationToken cancellationToken = default) => new(Stream.Null);
    }
}
