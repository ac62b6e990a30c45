using System.IO.Pipelines;
using System.Threading.Channels;
using Mux.Contracts;
using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

/// <summary>Streams through generated proxies and dispatch stubs, back to back.</summary>
public sealed class StreamTests
{
    private static readonly int[] s_numbers = [1, 2, 3];

    private readonly StreamsImplementation _implementation = new();
    private readonly IStreams _proxy;

    public StreamTests() => _proxy = ServiceContract<IStreams>.Get().CreateProxy(new LoopbackInvoker(_implementation));

    [Fact]
    public async Task Items_come_in_order_and_the_call_begins_with_their_enumeration()
    {
        var leaves = _proxy.ReadAsync("oak", 3, TestContext.Current.CancellationToken);
        Assert.False(_implementation.LastToken.CanBeCanceled);
        Assert.Equal([0, 1, 2], await leaves.Select(static leaf => leaf.Weight).ToListAsync(TestContext.Current.CancellationToken));
        Assert.Equal(TestContext.Current.CancellationToken, _implementation.LastToken);
    }

    [Fact]
    public async Task An_iterator_of_the_user_ends_when_the_token_of_its_enumeration_fires()
    {
        using var source = new CancellationTokenSource();
        await using var leaves = _proxy.ReadAsync("oak", int.MaxValue, CancellationToken.None).GetAsyncEnumerator(source.Token);
        Assert.True(await leaves.MoveNextAsync());
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await leaves.MoveNextAsync());
    }

    [Fact]
    public async Task Items_travel_as_single_results_do()
    {
        Assert.Equal([[1, 2], [], [3]], await _proxy.Lists().ToListAsync(TestContext.Current.CancellationToken));
        Assert.Equal(["a", null, ""], await _proxy.Echo(new[] { "a", null, string.Empty }.ToAsyncEnumerable()).ToListAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Channels_come_bare_and_in_both_tasks()
    {
        Assert.Equal([0, 1, 2], await _proxy.Channel(3).ReadAllAsync(TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken));
        Assert.Equal([0, 1, 2], await (await _proxy.ChannelLater(3, TestContext.Current.CancellationToken)).ReadAllAsync(TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken));
        Assert.Equal([0, 1, 2], await (await _proxy.ChannelTask(3)).ReadAllAsync(TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Streams_of_bytes_come_bare_and_in_both_tasks()
    {
        const int size = 100_000;
        var expected = Enumerable.Range(0, size).Select(static i => (byte)i).ToArray();
        Assert.Equal(expected, await ReadAsync(_proxy.Bytes(size)));
        Assert.Equal(expected, await ReadAsync(await _proxy.BytesLater(size)));
        Assert.Equal(expected, await ReadAsync(await _proxy.BytesTask(size)));
        Assert.Empty(await ReadAsync(await _proxy.BytesTask(0)));
    }

    [Fact]
    public async Task Pipes_come_bare_and_in_both_tasks()
    {
        const int size = 100_000;
        var expected = Enumerable.Range(0, size).Select(static i => (byte)i).ToArray();
        Assert.Equal(expected, await ReadAsync(_proxy.Pipe(size).AsStream()));
        Assert.Equal(expected, await ReadAsync((await _proxy.PipeLater(size)).AsStream()));
        Assert.Equal(expected, await ReadAsync((await _proxy.PipeTask(size)).AsStream()));
    }

    [Fact]
    public async Task A_pipe_keeps_what_was_not_consumed()
    {
        var pipe = _proxy.Pipe(40_000);
        var first = await pipe.ReadAsync(TestContext.Current.CancellationToken);
        Assert.False(first.IsCompleted);
        long length = first.Buffer.Length;
        pipe.AdvanceTo(first.Buffer.Start, first.Buffer.End);
        var more = await pipe.ReadAsync(TestContext.Current.CancellationToken);
        Assert.True(more.Buffer.Length > length);
        pipe.AdvanceTo(more.Buffer.GetPosition(10), more.Buffer.GetPosition(20));
        var rest = await pipe.ReadAsync(TestContext.Current.CancellationToken);
        Assert.Equal(more.Buffer.Length - 10, rest.Buffer.Length);
        Assert.Equal(10, rest.Buffer.FirstSpan[0]);
        await pipe.CompleteAsync();
    }

    [Fact]
    public async Task Arguments_stand_around_a_request_stream()
    {
        Assert.Equal(60, await _proxy.SumAsync(10, s_numbers.ToAsyncEnumerable(), TestContext.Current.CancellationToken));
        Assert.Equal(TestContext.Current.CancellationToken, _implementation.LastToken);
        Assert.Equal(65, await _proxy.SumChannel(ItemStreams.ToChannel(s_numbers.ToAsyncEnumerable(), TestContext.Current.CancellationToken), 10, 5));
        await _proxy.Keep("<", new[] { new Leaf("oak", 1), new Leaf("elm", 2) }.ToAsyncEnumerable(), ">");
        await _proxy.KeepTask(new[] { new Leaf("ash", 1) }.ToAsyncEnumerable());
        Assert.Equal(["<oak>", "<elm>", "ash"], _implementation.Kept);
    }

    [Fact]
    public async Task Bytes_are_taken_from_streams_and_pipes()
    {
        Assert.Equal(6, await _proxy.SumBytes(new MemoryStream([1, 2, 3])));
        Assert.Equal(7, await _proxy.SumPipe(PipeReader.Create(new MemoryStream([3, 4]))));
    }

    [Fact]
    public async Task Streams_go_both_ways_at_once()
    {
        var numbers = Channel.CreateUnbounded<int>();
        var twice = _proxy.Twice(numbers.Reader, 2);
        Assert.True(numbers.Writer.TryWrite(21));
        Assert.Equal(42, await twice.ReadAsync(TestContext.Current.CancellationToken)); // while the request stream goes on
        numbers.Writer.Complete();
        Assert.False(await twice.WaitToReadAsync(TestContext.Current.CancellationToken));
        Assert.Equal([1, 2, 3], await ReadAsync(_proxy.Mirror(new MemoryStream([1, 2, 3]))));
        Assert.Equal([4, 5], await ReadAsync((await _proxy.MirrorPipe(PipeReader.Create(new MemoryStream([4, 5])))).AsStream()));
    }

    [Fact]
    public async Task Null_in_place_of_a_stream_of_any_form_reaches_the_channel_that_fails_the_call()
    {
        await AssertRefusedAsync(async () => await _proxy.Echo(null!).FirstAsync(TestContext.Current.CancellationToken));
        await AssertRefusedAsync(async () => await _proxy.Twice(null!, 2).ReadAsync(TestContext.Current.CancellationToken));
        await AssertRefusedAsync(async () => await ReadAsync(_proxy.Mirror(null!)));
        await AssertRefusedAsync(async () => await (await _proxy.MirrorPipe(null!)).ReadAsync(TestContext.Current.CancellationToken));
        await AssertRefusedAsync(async () => await _proxy.SumChannel(null!, 1, 2));
        await AssertRefusedAsync(async () => await _proxy.SumBytes(null!));
        await AssertRefusedAsync(async () => await _proxy.SumPipe(null!));
        await AssertRefusedAsync(async () => await _proxy.KeepTask(null!));

        static async Task AssertRefusedAsync(Func<Task> call)
        {
            var error = await Assert.ThrowsAnyAsync<Exception>(call);
            Assert.Same(LoopbackInvoker.WithoutItems, error is System.Threading.Channels.ChannelClosedException ? error.InnerException : error);
        }
    }

    [Fact]
    public async Task Null_in_place_of_a_message_fails_the_stream()
    {
        var exception = await Assert.ThrowsAsync<ArgumentNullException>(async () => await _proxy.KeepTask(new Leaf[] { null! }.ToAsyncEnumerable()));
        Assert.Contains("IStreams.KeepTask(params)", exception.Message, StringComparison.Ordinal);
    }

    private static async Task<byte[]> ReadAsync(Stream stream)
    {
        await using var _ = stream;
        using var memory = new MemoryStream();
        await stream.CopyToAsync(memory, TestContext.Current.CancellationToken);
        return memory.ToArray();
    }
}
