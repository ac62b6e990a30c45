using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Mux.Contracts;

/// <summary>
/// Converts the byte streams of contracts to streams of chunks, and back. Called by generated code. A stream of chunks of the runtime returns the pipe below
/// it.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ByteStreams
{
    /// <summary>
    /// Longest chunk: an item of 16 KiB is one frame, which can be read when it arrives. A longer item is held until it is complete, beyond the window, and may
    /// exceed the peer's limit.
    /// </summary>
    private const int ReadSize = 16 * 1024;

    /// <summary>Converts a stream to chunks. It is read to its end and not disposed. Null returns null.</summary>
    [return: NotNullIfNotNull(nameof(stream))]
    public static IAsyncEnumerable<ByteChunk>? From(Stream? stream) => stream is null ? null : ReadAsync(stream);

    /// <summary>Converts a pipe to chunks. It is read to its end and completed. Null returns null.</summary>
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

    /// <exception cref="OperationCanceledException">A read was cancelled. The peer must not take this for the end of the stream.</exception>
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

    /// <summary>Converts the stream that a handler returns to chunks, and disposes it at the end.</summary>
    public static async IAsyncEnumerable<ByteChunk> FromResult(ValueTask<Stream> result, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var stream = await result.ConfigureAwait(false);
        await using var _ = stream.ConfigureAwait(false);
        await foreach (var chunk in ReadAsync(stream, cancellationToken).ConfigureAwait(false)) yield return chunk;
    }

    /// <summary>Converts the pipe that a handler returns to chunks.</summary>
    public static async IAsyncEnumerable<ByteChunk> FromResult(
        ValueTask<PipeReader> result, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var chunk in ReadAsync(await result.ConfigureAwait(false), cancellationToken).ConfigureAwait(false)) yield return chunk;
    }

    /// <summary>Converts chunks to a pipe. Completing it before its end ends the stream of chunks.</summary>
    public static PipeReader ToPipe(IAsyncEnumerable<ByteChunk> chunks) => ToPipe(chunks.GetAsyncEnumerator());

    /// <summary>Converts chunks to a stream. Disposing it before its end ends the stream of chunks.</summary>
    public static Stream ToStream(IAsyncEnumerable<ByteChunk> chunks) => ToPipe(chunks).AsStream();

    /// <summary>Makes the call of a caller, and waits for its first bytes, its end or its failure.</summary>
    public static async ValueTask<PipeReader> OpenPipeAsync(IAsyncEnumerable<ByteChunk> chunks)
    {
        var pipe = ToPipe(chunks);
        try
        {
            var result = await pipe.ReadAsync().ConfigureAwait(false);
            pipe.AdvanceTo(result.Buffer.Start); // left unread, so that the next read returns it at once
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
