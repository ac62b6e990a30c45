using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Mux.Contracts;

/// <summary>
/// For generated code: makes streams of chunks of what contracts declare, and the other way. The runtime's own streams of chunks hand out the pipe they stand
/// on.
/// </summary>
public static class ByteStreams
{
    /// <summary>
    /// The longest chunk: an item of 16 KiB is one frame, which can be read when it comes. A longer one is held until it is whole, beyond the window, and may
    /// be more than the peer takes.
    /// </summary>
    private const int ReadSize = 16 * 1024;

    /// <summary>The chunks of a stream, which is read to its end and not disposed; null of null.</summary>
    [return: NotNullIfNotNull(nameof(stream))]
    public static IAsyncEnumerable<ByteChunk>? From(Stream? stream) => stream is null ? null : ReadAsync(stream);

    /// <summary>The chunks of a pipe, which is read to its end and completed; null of null.</summary>
    [return: NotNullIfNotNull(nameof(pipe))]
    public static IAsyncEnumerable<ByteChunk>? From(PipeReader? pipe) => pipe is null ? null : ReadAsync(pipe);

    private static async IAsyncEnumerable<ByteChunk> ReadAsync(Stream stream, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(ReadSize);
        try
        {
            while (await stream.ReadAsync(buffer, cancellationToken).ConfigureAwait(false) is > 0 and var count)
            {
                yield return new ByteChunk(buffer.AsMemory(0, count));
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <exception cref="OperationCanceledException">A read was cancelled: that is no end, and must not look like one to the peer.</exception>
    private static async IAsyncEnumerable<ByteChunk> ReadAsync(PipeReader pipe, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        try
        {
            ReadResult result;
            do
            {
                result = await pipe.ReadAsync(cancellationToken).ConfigureAwait(false);
                foreach (var segment in result.Buffer)
                {
                    for (int at = 0; at < segment.Length; at += ReadSize)
                    {
                        yield return new ByteChunk(segment.Slice(at, Math.Min(ReadSize, segment.Length - at)));
                    }
                }

                pipe.AdvanceTo(result.Buffer.End);
                if (result.IsCanceled) throw new OperationCanceledException("A read of the pipe was cancelled before its end.");
            }
            while (!result.IsCompleted);
        }
        finally
        {
            await pipe.CompleteAsync().ConfigureAwait(false);
        }
    }

    /// <summary>For a handler that returns a stream: its chunks; it is disposed in the end.</summary>
    public static async IAsyncEnumerable<ByteChunk> FromResult(ValueTask<Stream> result, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var stream = await result.ConfigureAwait(false);
        await using var _ = stream.ConfigureAwait(false);
        await foreach (var chunk in ReadAsync(stream, cancellationToken).ConfigureAwait(false)) yield return chunk;
    }

    /// <summary>For a handler that returns a pipe: its chunks.</summary>
    public static async IAsyncEnumerable<ByteChunk> FromResult(
        ValueTask<PipeReader> result, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var chunk in ReadAsync(await result.ConfigureAwait(false), cancellationToken).ConfigureAwait(false)) yield return chunk;
    }

    /// <summary>The pipe behind chunks. Completing it before its end ends their stream.</summary>
    public static PipeReader ToPipe(IAsyncEnumerable<ByteChunk> chunks) => ToPipe(chunks.GetAsyncEnumerator());

    /// <summary>The stream behind chunks. Disposing it before its end ends theirs.</summary>
    public static Stream ToStream(IAsyncEnumerable<ByteChunk> chunks) => ToPipe(chunks).AsStream();

    /// <summary>For a caller: makes the call, and waits for its first bytes, its end or its failure.</summary>
    public static async ValueTask<PipeReader> OpenPipeAsync(IAsyncEnumerable<ByteChunk> chunks)
    {
        var pipe = ToPipe(chunks);
        try
        {
            var result = await pipe.ReadAsync().ConfigureAwait(false);
            pipe.AdvanceTo(result.Buffer.Start); // unread, and read again at once
            return pipe;
        }
        catch
        {
            await pipe.CompleteAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <inheritdoc cref="OpenPipeAsync"/>
    public static async ValueTask<Stream> OpenStreamAsync(IAsyncEnumerable<ByteChunk> chunks) => (await OpenPipeAsync(chunks).ConfigureAwait(false)).AsStream();

    private static PipeReader ToPipe(IAsyncEnumerator<ByteChunk> chunks) => chunks as PipeReader ?? new ChunkPipeReader(chunks);
}
