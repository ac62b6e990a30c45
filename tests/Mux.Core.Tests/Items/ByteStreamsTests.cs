using System.Buffers;
using System.IO.Pipelines;
using Mux.Contracts;
using Mux.Protocol;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Items;

/// <summary>What a pipe becomes that is given to a call, and chunks that become one.</summary>
public sealed class ByteStreamsTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(16 * 1024)]
    [InlineData(16 * 1024 + 1)]
    [InlineData(9 * 1024 * 1024 + 7)] // more than a peer takes in one item
    public async Task A_segment_of_any_length_travels_in_chunks_of_one_frame(int length)
    {
        byte[] content = new byte[length];
        new Random(length).NextBytes(content);

        var sent = await SendAsync(PipeReader.Create(new ReadOnlySequence<byte>(content)));

        Assert.All(sent, chunk => Assert.InRange(chunk.Length, 1, ProtocolConstants.MaxWholeBody));
        Assert.Equal((length + ProtocolConstants.MaxWholeBody - 1) / ProtocolConstants.MaxWholeBody, sent.Count);
        Assert.True(content.AsSpan().SequenceEqual(sent.SelectMany(static chunk => chunk).ToArray()));
    }

    [Fact]
    public async Task A_large_span_of_a_writer_travels_in_chunks_of_one_frame()
    {
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 0));
        pipe.Writer.GetSpan(8_000_000)[..8_000_000].Fill(7);
        pipe.Writer.Advance(8_000_000);
        await pipe.Writer.CompleteAsync();

        var sent = await SendAsync(pipe.Reader);

        Assert.All(sent, chunk => Assert.InRange(chunk.Length, 1, ProtocolConstants.MaxWholeBody));
        Assert.Equal(8_000_000, sent.Sum(chunk => chunk.Length));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_cancelled_read_fails_the_chunks_behind_what_came_before_it(bool isCompleted)
    {
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(new byte[100], TestContext.Current.CancellationToken);
        if (isCompleted) await pipe.Writer.CompleteAsync();
        pipe.Reader.CancelPendingRead();
        await using var chunks = ByteStreams.From(pipe.Reader)!.GetAsyncEnumerator(TestContext.Current.CancellationToken);

        Assert.True(await chunks.MoveNextAsync());
        Assert.Equal(100, chunks.Current.Memory.Length);
        await Assert.ThrowsAsync<OperationCanceledException>(() => chunks.MoveNextAsync().AsTask().Within("the failure"));
    }

    [Fact]
    public async Task A_read_that_is_cancelled_while_it_waits_fails_the_chunks()
    {
        var pipe = new Pipe();
        await using var chunks = ByteStreams.From(pipe.Reader)!.GetAsyncEnumerator(TestContext.Current.CancellationToken);
        var reading = chunks.MoveNextAsync().AsTask();

        pipe.Reader.CancelPendingRead();

        await Assert.ThrowsAsync<OperationCanceledException>(() => reading.Within("the failure"));
    }

    [Fact]
    public async Task Chunks_that_fail_are_read_up_to_there_and_fail_as_often_as_they_are_read()
    {
        var sut = ByteStreams.ToPipe(Failing());

        var result = await sut.ReadAsync(TestContext.Current.CancellationToken);
        Assert.Equal((3, false), (result.Buffer.Length, result.IsCompleted));
        sut.AdvanceTo(result.Buffer.Start, result.Buffer.End);

        for (int i = 0; i < 2; i++) await Assert.ThrowsAsync<IOException>(() => sut.ReadAsync(TestContext.Current.CancellationToken).AsTask());
    }

    private static async Task<List<byte[]>> SendAsync(PipeReader pipe)
    {
        var sent = new List<byte[]>();
        await foreach (var chunk in ByteStreams.From(pipe)!) sent.Add(chunk.Memory.ToArray());
        return sent;
    }

    private static async IAsyncEnumerable<ByteChunk> Failing()
    {
        yield return new ByteChunk(new byte[3]);
        await Task.Yield();
        throw new IOException("The fake is broken.");
    }
}
