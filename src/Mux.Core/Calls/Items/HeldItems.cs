using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Mux.Contracts;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>
/// The response stream of a call as its caller holds it. See <see cref="IStreamReader{T}.Hold"/>. While the caller waits for an item, the reader keeps this
/// object alive, so a stream that is awaited or in use is not dropped.
/// </summary>
internal sealed class HeldItems<T>(ItemReader<T> reader) : ChannelReader<T>, IAsyncEnumerator<T>
{
#pragma warning disable MA0055 // nothing else notices that a stream was dropped
    ~HeldItems() => DroppedStream.End(reader);
#pragma warning restore MA0055

    public T Current => reader.Current;

    public override Task Completion => reader.Completion;

    public override bool CanCount => false;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ValueTask<bool> MoveNextAsync()
    {
        var moving = reader.MoveNextAsync();
        if (!moving.IsCompleted) reader.WaitFor(this); // the caller awaits later, and only then is this read
        GC.KeepAlive(this);
        return moving;
    }

    public override bool TryRead([MaybeNullWhen(false)] out T item)
    {
        bool hasRead = reader.TryRead(out item);
        GC.KeepAlive(this);
        return hasRead;
    }

    public override ValueTask<bool> WaitToReadAsync(CancellationToken cancellationToken = default)
    {
        var reading = reader.WaitToReadAsync(cancellationToken);
        if (!reading.IsCompleted) reader.WaitFor(this);
        GC.KeepAlive(this);
        return reading;
    }

    public ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        return reader.DisposeAsync();
    }
}

/// <summary>
/// The byte stream counterpart of <see cref="HeldItems{T}"/>. The reader's waits and the caller's own calls keep this object alive, even in its last
/// use.
/// </summary>
internal sealed class HeldBytes(ByteReader reader) : PipeReader, IAsyncEnumerator<ByteChunk>
{
#pragma warning disable MA0055 // nothing else notices that a stream was dropped
    ~HeldBytes() => DroppedStream.End(reader);
#pragma warning restore MA0055

    public ByteChunk Current => reader.Current;

    public ValueTask<bool> MoveNextAsync() => reader.MoveNextForAsync(this);

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default) => reader.ReadForAsync(this, cancellationToken);

    public override bool TryRead(out ReadResult result)
    {
        bool hasRead = reader.TryRead(out result);
        GC.KeepAlive(this);
        return hasRead;
    }

    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        reader.AdvanceTo(consumed, examined);
        GC.KeepAlive(this);
    }

    public override void CancelPendingRead() => reader.CancelPendingRead();

    public override void Complete(Exception? exception = null)
    {
#pragma warning disable CA1816 // this is how a pipe is disposed
        GC.SuppressFinalize(this);
#pragma warning restore CA1816
        reader.Complete(exception);
    }

    public ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        return reader.DisposeAsync();
    }
}

/// <summary>Streams that their consumer has dropped, or disposed while it read.</summary>
internal static class DroppedStream
{
    /// <summary>
    /// Ends a stream from a finalizer. Runs on the .NET pool, because the end of a call runs listeners of meters and spans, which a finalizer's thread must not
    /// run.
    /// </summary>
    public static void End<T>(IStreamReader<T> reader) => EnginePool.Queue(static reader => reader.Drop(), reader);

    /// <summary>Creates the exception of a read that waits when its stream is disposed.</summary>
    public static OperationCanceledException WhileRead() => new("The stream was disposed while a read of it waited.");
}
