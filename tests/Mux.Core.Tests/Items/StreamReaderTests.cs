using System.Buffers;
using System.Threading.Channels;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Items;

/// <summary>The readers of streams, without a handler: waits that end, and credit of what reaches nobody.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class StreamReaderTests
{
    private readonly CancellationTokenSource _cancellation = new();
    private readonly ProbeConsumer _consumer = new();

    [Fact]
    public async Task A_token_ends_the_wait_it_was_given_to_and_not_the_stream()
    {
        var sut = Items();
        var reading = sut.WaitToReadAsync(_cancellation.Token).AsTask();

        await _cancellation.CancelAsync();

        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.Within("the wait to end"));
        Assert.Equal(_cancellation.Token, error.CancellationToken);
        Deliver(sut, [7]);
        Assert.True(await sut.WaitToReadAsync(TestContext.Current.CancellationToken));
        Assert.True(sut.TryRead(out var item));
        Assert.Equal([7], item);
    }

    [Fact]
    public async Task A_token_of_an_earlier_wait_does_not_end_a_later_one()
    {
        var sut = Items();
        var first = sut.WaitToReadAsync(_cancellation.Token).AsTask();
        Deliver(sut, [1]);
        Assert.True(await first.Within("the first item"));
        Assert.True(sut.TryRead(out _));
        var second = sut.WaitToReadAsync(TestContext.Current.CancellationToken).AsTask();

        await _cancellation.CancelAsync();

        Assert.False(second.IsCompleted);
        Deliver(sut, [2]);
        Assert.True(await second.Within("the second item"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_read_that_waits_ends_with_the_disposal_of_its_stream(bool takesNext)
    {
        var sut = Items();
        var reading = takesNext ? sut.MoveNextAsync().AsTask() : sut.WaitToReadAsync(TestContext.Current.CancellationToken).AsTask();

        await sut.DisposeAsync();

        var error = await Assert.ThrowsAsync<OperationCanceledException>(() => reading.Within("the read of a disposed stream"));
        Assert.Contains("The stream was disposed while a read of it waited.", error.Message, StringComparison.Ordinal);
        Assert.False(await sut.MoveNextAsync());
        Assert.False(sut.TryRead(out _));
        Assert.Equal(1, _consumer.Disposed);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_read_of_bytes_that_waits_ends_with_the_disposal_of_its_stream(bool takesNext)
    {
        var sut = Bytes();
        Task reading = takesNext ? sut.MoveNextAsync().AsTask() : sut.ReadAsync(TestContext.Current.CancellationToken).AsTask();

        await sut.DisposeAsync();

        await Assert.ThrowsAsync<OperationCanceledException>(() => reading.Within("the read of a disposed stream"));
        Assert.Equal(1, _consumer.Disposed);
    }

    [Fact]
    public async Task A_disposal_that_meets_an_item_lets_its_read_end_with_the_item_or_as_cancelled()
    {
        for (int i = 0; i < 1_000; i++)
        {
            var sut = Items();
            var reading = sut.MoveNextAsync().AsTask();
            var disposing = Task.Run(() => sut.DisposeAsync().AsTask(), TestContext.Current.CancellationToken);

            Deliver(sut, [7]);

            try
            {
                Assert.True(await reading.Within("the read of a stream that is being disposed"));
                Assert.Equal([7], sut.Current);
            }
            catch (OperationCanceledException)
            {
                // the disposal was first
            }

            await disposing.Within("the disposal");
        }
    }

    [Fact]
    public async Task The_token_of_an_enumeration_ends_its_waits_where_it_ends_no_call()
    {
        var enumerator = ((IAsyncEnumerable<byte[]>)Items()).GetAsyncEnumerator(_cancellation.Token);
        var reading = enumerator.MoveNextAsync().AsTask();

        await _cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.Within("the wait to end"));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => enumerator.MoveNextAsync().AsTask().Within("a wait with a cancelled token"));
        await enumerator.DisposeAsync();
        Assert.Equal(1, _consumer.Disposed);
    }

    [Fact]
    public async Task The_token_of_an_enumeration_of_bytes_ends_its_waits_too()
    {
        var enumerator = ((IAsyncEnumerable<ByteChunk>)new ByteReader(_consumer)).GetAsyncEnumerator(_cancellation.Token);
        var reading = enumerator.MoveNextAsync().AsTask();

        await _cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading.Within("the wait to end"));
    }

    [Fact]
    public void A_handler_that_enumerates_its_request_stream_twice_is_told_so()
    {
        IAsyncEnumerable<byte[]> sut = new RequestReader<byte[]>(failures: null!, MuxDispatchMode.Pool, BytesCodec.Items, default).Items;
        sut.GetAsyncEnumerator(TestContext.Current.CancellationToken);

        var error = Assert.Throws<InvalidOperationException>(() => sut.GetAsyncEnumerator(TestContext.Current.CancellationToken));

        Assert.Contains("s/Items was enumerated before; it can be enumerated once", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Empty_pieces_of_a_byte_stream_give_their_credit_back_though_nobody_is_woken()
    {
        const int credit = 64 * 1024;
        var peer = ScriptedPeer.Open(accepting: true);
        var window = new InboundWindow(peer.Sut, new CallId(1, 1), FrameKind.RequestCredit, credit);
        var sut = new ByteReader(_consumer);
        sut.Begin(window);
        var reading = sut.ReadAsync(TestContext.Current.CancellationToken);

        for (int i = 0; i < 10 * credit / CreditFrame.CostOfItem(0); i++)
        {
            Assert.Null(window.OnFrame(0, isFirst: true));
            Assert.False(sut.OnItem([], CreditFrame.CostOfItem(0)));
        }

        Assert.False(reading.IsCompleted);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Bytes_that_came_before_a_failure_are_read_before_it(bool arePublished)
    {
        var (sut, error) = FailedBehind(100, arePublished);

        var result = await sut.ReadAsync(TestContext.Current.CancellationToken);
        Assert.Equal((100, false, false), (result.Buffer.Length, result.IsCompleted, result.IsCanceled));
        sut.AdvanceTo(result.Buffer.GetPosition(40));
        result = await sut.ReadAsync(TestContext.Current.CancellationToken);
        Assert.Equal((60, false), (result.Buffer.Length, result.IsCompleted));
        sut.AdvanceTo(result.Buffer.Start, result.Buffer.GetPosition(59)); // one byte was not looked at
        result = await sut.ReadAsync(TestContext.Current.CancellationToken);
        Assert.Equal((60, false), (result.Buffer.Length, result.IsCompleted));
        sut.AdvanceTo(result.Buffer.Start, result.Buffer.End);

        for (int i = 0; i < 2; i++) Assert.Same(error, await Assert.ThrowsAsync<MuxException>(() => sut.ReadAsync(TestContext.Current.CancellationToken).AsTask()));
        Assert.Same(error, Assert.Throws<MuxException>(() => sut.TryRead(out _)));
    }

    [Fact]
    public async Task A_failure_behind_bytes_is_no_end_for_who_tries_to_read_them()
    {
        var (sut, error) = FailedBehind(100);

        Assert.True(sut.TryRead(out var result));
        Assert.Equal((100, false), (result.Buffer.Length, result.IsCompleted));
        sut.AdvanceTo(result.Buffer.End);

        Assert.Same(error, Assert.Throws<MuxException>(() => sut.TryRead(out _)));
        Assert.Same(error, await Assert.ThrowsAsync<MuxException>(() => sut.ReadAtLeastAsync(1, TestContext.Current.CancellationToken).AsTask()));
    }

    [Fact]
    public async Task Chunks_that_came_before_a_failure_are_enumerated_before_it()
    {
        var (sut, error) = FailedBehind(100);
        var chunks = ((IAsyncEnumerable<ByteChunk>)sut).GetAsyncEnumerator(TestContext.Current.CancellationToken);

        Assert.True(await chunks.MoveNextAsync());
        Assert.Equal(100, chunks.Current.Memory.Length);
        for (int i = 0; i < 2; i++) Assert.Same(error, await Assert.ThrowsAsync<MuxException>(() => chunks.MoveNextAsync().AsTask()));
    }

    [Fact]
    public async Task A_stream_and_a_copy_of_it_get_the_bytes_before_the_failure()
    {
        var (sut, error) = FailedBehind(100);
        await using var stream = ByteStreams.ToStream(sut);
        var copy = new MemoryStream();

        Assert.Equal(70, await stream.ReadAsync(new byte[70], TestContext.Current.CancellationToken));
        Assert.Same(error, await Assert.ThrowsAsync<MuxException>(() => stream.CopyToAsync(copy, TestContext.Current.CancellationToken)));

        Assert.Equal(30, copy.Length);
        Assert.Same(error, await Assert.ThrowsAsync<MuxException>(() => stream.ReadAsync(new byte[70], TestContext.Current.CancellationToken).AsTask()));
    }

    [Fact]
    public async Task More_than_came_before_a_failure_fails()
    {
        var (sut, error) = FailedBehind(100);

        Assert.Same(error, await Assert.ThrowsAsync<MuxException>(() => sut.ReadAtLeastAsync(101, TestContext.Current.CancellationToken).AsTask()));
    }

    [Fact]
    public async Task A_call_that_fails_behind_its_first_bytes_opens_with_them_and_one_that_fails_before_does_not()
    {
        var (late, error) = FailedBehind(100);
        var pipe = await ByteStreams.OpenPipeAsync(late);
        Assert.True(pipe.TryRead(out var result));
        Assert.Equal(100, result.Buffer.Length);
        pipe.AdvanceTo(result.Buffer.End);
        Assert.Same(error, await Assert.ThrowsAsync<MuxException>(() => pipe.ReadAsync(TestContext.Current.CancellationToken).AsTask()));

        var (early, first) = FailedBehind(0);
        Assert.Same(first, await Assert.ThrowsAsync<MuxException>(() => ByteStreams.OpenPipeAsync(early).AsTask()));
    }

    [Fact]
    public async Task A_read_that_waits_gets_the_bytes_that_come_with_a_failure_and_the_next_one_gets_that()
    {
        var sut = Bytes();
        var reading = sut.ReadAsync(TestContext.Current.CancellationToken).AsTask();
        Assert.True(sut.OnItem(new byte[100], 108));
        var error = new MuxException(MuxStatus.Unavailable, "It broke.");

        sut.End(error, turn: null, isTurns: true, drops: false);

        var result = await reading.Within("the bytes");
        Assert.Equal((100, false), (result.Buffer.Length, result.IsCompleted));
        sut.AdvanceTo(result.Buffer.End);
        Assert.Same(error, await Assert.ThrowsAsync<MuxException>(() => sut.ReadAsync(TestContext.Current.CancellationToken).AsTask()));
    }

    [Fact]
    public async Task A_stream_of_bytes_that_is_given_up_fails_at_once()
    {
        var sut = Bytes();
        Assert.True(sut.OnItem(new byte[100], 108));
        sut.Publish(null);

        ((IInboundItems)sut).Abort();

        await Assert.ThrowsAsync<OperationCanceledException>(() => sut.ReadAsync(TestContext.Current.CancellationToken).AsTask());
    }

    [Fact]
    public async Task A_stream_of_bytes_ends_behind_its_last_ones()
    {
        var sut = Bytes();
        Assert.True(sut.OnItem(new byte[100], 108));
        sut.End(null, turn: null, isTurns: true, drops: false);

        var result = await sut.ReadAsync(TestContext.Current.CancellationToken);

        Assert.Equal((100, true), (result.Buffer.Length, result.IsCompleted));
    }

    [Fact]
    public async Task Bytes_that_were_handed_out_are_not_reused_when_their_stream_is_dropped()
    {
        var sut = Bytes();
        byte[] sent = new byte[10_000];
        sent.AsSpan().Fill(7);
        Assert.True(sut.OnItem(sent, sent.Length + 8));
        sut.Publish(null);
        var result = await sut.ReadAsync(TestContext.Current.CancellationToken);

        sut.Drop();
        sut.End(new OperationCanceledException("The call is over."), turn: null, isTurns: false, drops: true);

        var others = Enumerable.Range(0, 100).Select(_ => ArrayPool<byte>.Shared.Rent(16 * 1024)).ToList();
        foreach (var other in others) other.AsSpan().Fill(9);
        Assert.Equal(1, _consumer.Disposed);
        Assert.Equal(sent, result.Buffer.ToArray());
        foreach (var other in others) ArrayPool<byte>.Shared.Return(other);
    }

    [Fact]
    public void Items_that_the_consumer_has_come_to_are_left_alone_when_their_stream_is_dropped()
    {
        var sut = Items();
        foreach (byte number in new byte[] { 1, 2, 3 }) sut.OnItem([number], 64);
        sut.Publish(null);
        Assert.True(sut.TryRead(out _));

        sut.Drop();

        Assert.Equal(1, _consumer.Disposed);
        Assert.True(sut.TryRead(out var item)); // as if it was at it when the finalizer ran
        Assert.Equal([2], item);
        Assert.False(sut.OnItem([4], 64));
    }

    [Fact]
    public async Task The_completion_of_a_stream_that_is_disposed_of_before_its_end_completes()
    {
        var sut = Items();
        Deliver(sut, [1]);
        var completion = ((ChannelReader<byte[]>)sut).Completion;
        Assert.False(completion.IsCompleted);

        await ((IAsyncDisposable)sut.Hold()).DisposeAsync();

        await completion.Within("the completion of a disposed stream");
        sut.End(new MuxException(MuxStatus.Cancelled, "Given up."), turn: null, isTurns: true, drops: true);
        Assert.True(completion.IsCompletedSuccessfully);
    }

    [Fact]
    public async Task The_completion_of_a_stream_that_failed_has_the_failure_also_when_it_is_disposed_of()
    {
        var sut = Items();
        sut.End(new MuxException(MuxStatus.Unavailable, "It broke."), turn: null, isTurns: true, drops: false);
        await sut.DisposeAsync();
        var error = await Assert.ThrowsAsync<MuxException>(() => sut.Completion.Within("the completion of a failed stream"));
        Assert.Equal(MuxStatus.Unavailable, error.Status);
    }

    private static void Deliver(ItemReader<byte[]> reader, byte[] item)
    {
        if (reader.OnItem(item, 64)) reader.Publish(null);
    }

    private (ByteReader Reader, MuxException Error) FailedBehind(int length, bool arePublished = true)
    {
        var reader = Bytes();
        bool isListed = reader.OnItem(new byte[length], length + 8);
        if (isListed && arePublished) reader.Publish(null);
        var error = new MuxException(MuxStatus.Unavailable, "It broke.");
        reader.End(error, turn: null, isTurns: true, drops: false);
        return (reader, error);
    }

    private ByteReader Bytes()
    {
        var reader = new ByteReader(_consumer);
        reader.Begin(new InboundWindow(ScriptedPeer.Open(accepting: true).Sut, new CallId(1, 1), FrameKind.RequestCredit, 64 * 1024));
        return reader;
    }

    private ItemReader<byte[]> Items()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var reader = new ItemReader<byte[]>(BytesCodec.Items, _consumer, MuxDispatchMode.Pool);
        reader.Begin(new InboundWindow(peer.Sut, new CallId(1, 1), FrameKind.RequestCredit, 64 * 1024));
        return reader;
    }

    private sealed class ProbeConsumer : IItemConsumer
    {
        public IWorkOwner WorkOwner { get; } = new RecordingOwner();

        public int Disposed { get; private set; }

        public bool OnEnumerated(CancellationToken cancellationToken) => false;

        public void OnDisposed() => Disposed++;

        public void OnUndecodable(Exception error) => throw error;

        public void OnUserCodeFailed(Exception error) => throw error;
    }
}
