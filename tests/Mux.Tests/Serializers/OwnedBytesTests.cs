using System.Buffers;
using Mux.Serialization;
using Mux.Serialization.Raw;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Serializers;

namespace Mux.Tests.Serializers;

/// <summary>Who owns bytes that are sent as they are, where they stand, and until when.</summary>
public sealed class OwnedBytesTests : EndToEndTests
{
    private const int Large = 1024 * 1024;

    [Fact]
    public void What_is_sent_stands_where_its_owner_wrote_it()
    {
        var bytes = PooledBytes.CopyOf(Specimens.Pattern(Large));
        var memory = bytes.Memory;
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            RawSerializer.Write(ref writer, bytes);
            Assert.True(writer.Written.Overlaps(memory.Span, out int offset));
            Assert.Equal((Large, 0), (writer.Count, offset));
            Assert.True(buffer.TryDetach(writer.Written, out var array)); // and is sent from there
            ArrayPool<byte>.Shared.Return(array);
        }
        finally
        {
            buffer.Return();
        }
    }

    [Fact]
    public void What_is_received_stands_where_it_arrived()
    {
        AssertStays<PooledBytes>(static bytes => bytes.Span);
        AssertStays<IMemoryOwner<byte>>(static bytes => bytes.Memory.Span);
        AssertStays<ReadOnlyMemory<byte>>(static bytes => bytes.Span);
        AssertStays<ReadOnlySequence<byte>>(static bytes => bytes.FirstSpan);

        static void AssertStays<T>(Func<T, ReadOnlySpan<byte>> read)
        {
            byte[] array = [.. Specimens.Pattern(100), 0, 0];
            var before = ReceivedArray.Lend(array);
            var received = RawSerializer.Read<T>(array.AsSpan(0, 100));
            Assert.True(read(received).Overlaps(array, out int offset));
            Assert.Equal((100, 0), (read(received).Length, offset));
            Assert.False(ReceivedArray.TryReturn(array, before));
        }
    }

    [Fact]
    public void An_array_is_kept_if_it_is_the_message_and_nothing_else()
    {
        var exact = Specimens.Pattern(64);
        var before = ReceivedArray.Lend(exact);
        Assert.Same(exact, RawSerializer.Read<byte[]>(exact));
        Assert.False(ReceivedArray.TryReturn(exact, before));

        var longer = ArrayPool<byte>.Shared.Rent(100);
        before = ReceivedArray.Lend(longer);
        var copy = RawSerializer.Read<byte[]>(longer.AsSpan(0, 100));
        Assert.Equal(100, copy.Length);
        Assert.NotSame(longer, copy);
        Assert.False(ReceivedArray.TryReturn(longer, before)); // the serializer has given it back
    }

    [Fact]
    public void A_message_that_nobody_keeps_leaves_its_array_where_it_was()
    {
        var (outer, inner) = (new byte[10], new byte[10]);
        var before = ReceivedArray.Lend(outer);
        var between = ReceivedArray.Lend(inner); // a message that is decoded while another one is
        RawSerializer.Read<PooledBytes>(outer.AsSpan(1, 5)).Dispose(); // bytes that stand elsewhere are copied
        Assert.True(ReceivedArray.TryReturn(inner, between));
        Assert.True(ReceivedArray.TryReturn(outer, before));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Every_way_to_declare_bytes_carries_them()
    {
        var scene = Begin(TransportKind.InMemory);
        var sut = Start(scene);
        foreach (int length in (int[])[0, 1, 16 * 1024, 16 * 1024 + 1, 64 * 1024, 100_000, Large, 3_000_000])
        {
            var expected = Specimens.Pattern(length);
            Assert.Equal(expected, await sut.Array(expected));
            Assert.Equal(expected, (await sut.Memory(expected)).ToArray());
            Assert.Equal(expected, (await sut.Sequence(Split(expected))).ToArray());
            using var pooled = await sut.Pooled(PooledBytes.CopyOf(expected), TestContext.Current.CancellationToken);
            Assert.Equal(expected, pooled.Span.ToArray());
            using var owner = await sut.Owner(new FreeBytes(expected));
            Assert.Equal(expected, owner.Memory.ToArray());
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Pieces_of_a_stream_have_owners_too()
    {
        var sut = Start(Begin(TransportKind.InMemory));
        int[] lengths = [1, 100_000, 0, 16 * 1024, 70_000];
        var arrived = new List<int>();
        await foreach (var piece in sut.Pieces(Pieces(), TestContext.Current.CancellationToken))
        {
            using (piece)
            {
                Assert.Equal(Specimens.Pattern(piece.Length), piece.Span.ToArray());
                arrived.Add(piece.Length);
            }
        }

        Assert.Equal(lengths, arrived);

        async IAsyncEnumerable<PooledBytes> Pieces()
        {
            foreach (int length in lengths) yield return PooledBytes.CopyOf(Specimens.Pattern(length));
            await Task.CompletedTask;
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task What_is_sent_is_given_away()
    {
        var sut = Start(Begin(TransportKind.InMemory));
        var bytes = PooledBytes.CopyOf([1, 2, 3]);
        (await sut.Pooled(bytes, TestContext.Current.CancellationToken)).Dispose();
        Assert.Throws<ObjectDisposedException>(() => bytes.Memory);
        Assert.Throws<ObjectDisposedException>(() => bytes.Span.Length);
        Assert.Equal(3, bytes.Length);
        bytes.Dispose(); // as a using does

        var error = await Assert.ThrowsAsync<MuxException>(() => sut.Pooled(bytes, TestContext.Current.CancellationToken).AsTask());
        Assert.Equal((MuxStatus.Internal, MuxExecution.NotExecuted, MuxCallPhase.Encode), (error.Status, error.Execution, error.Phase));
    }

    [Fact(Timeout = TestLimit)]
    public async Task What_is_not_sent_stays_its_owner_s()
    {
        var sut = Start(Begin(TransportKind.InMemory));
        using var bytes = PooledBytes.CopyOf([1, 2, 3]);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sut.Pooled(bytes, new CancellationToken(canceled: true)).AsTask());
        Assert.Equal([1, 2, 3], bytes.Span.ToArray());
    }

    [Fact(Timeout = TestLimit)]
    public async Task Memory_of_the_application_is_given_back_once_it_is_written()
    {
        var sut = Start(Begin(TransportKind.InMemory));
        var bytes = new FreeBytes(Specimens.Pattern(100_000));
        using var reply = await sut.Owner(bytes);
        Assert.Equal(1, bytes.Disposals);
        Assert.Equal(Specimens.Pattern(100_000), reply.Memory.ToArray());
    }

    [Fact]
    public void Bytes_can_be_rented_filled_and_trimmed()
    {
        using var bytes = PooledBytes.Rent(100);
        Assert.Equal((100, 100, 100), (bytes.Length, bytes.Memory.Length, bytes.Span.Length));
        Specimens.Pattern(100).CopyTo(bytes.Span);
        bytes.Trim(10);
        Assert.Equal(Specimens.Pattern(10), bytes.Span.ToArray());
        Assert.Throws<ArgumentOutOfRangeException>(() => bytes.Trim(11));
        Assert.Throws<ArgumentOutOfRangeException>(() => bytes.Trim(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => PooledBytes.Rent(-1));
        Assert.Throws<ArgumentOutOfRangeException>(() => PooledBytes.Rent(int.MaxValue));
        bytes.Dispose();
        bytes.Dispose();
    }

    private static IBlobs Start(Scene scene) => scene.CreateChannel(scene.StartServer(static server => server.AddService<IBlobs>(new Blobs()))).CreateProxy<IBlobs>();

    private static ReadOnlySequence<byte> Split(byte[] bytes)
    {
        var first = new Segment(bytes.AsMemory(0, bytes.Length / 3), null);
        var last = new Segment(bytes.AsMemory(bytes.Length / 3), first);
        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, Segment? before)
        {
            Memory = memory;
            if (before is null) return;
            RunningIndex = before.RunningIndex + before.Memory.Length;
            before.Next = this;
        }
    }
}
