using System.IO.Pipelines;
using Mux.Contracts;

namespace Mux.Calls;

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
