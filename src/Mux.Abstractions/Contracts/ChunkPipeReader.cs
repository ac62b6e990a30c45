using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.ExceptionServices;

namespace Mux.Contracts;

/// <summary>Reads chunks that do not come from the runtime, for example from a fake in a test, as a pipe. Each chunk is copied.</summary>
internal sealed class ChunkPipeReader(IAsyncEnumerator<ByteChunk> chunks) : PipeReader
{
    private volatile bool _isCancelled;
    private ReadOnlyMemory<byte> _unread;
    private bool _isExamined = true;
    private bool _isEnded;
    private Exception? _error; // an iterator that has thrown reports its end afterwards: this repeats the exception

    public override async ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        while (_isExamined && !_isEnded)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (_isCancelled) return Take(isCanceled: true);
            if (_error is not null) ExceptionDispatchInfo.Throw(_error);
            try
            {
                if (await chunks.MoveNextAsync().ConfigureAwait(false)) Append(chunks.Current.Memory.Span);
                else _isEnded = true;
            }
            catch (Exception error)
            {
                _error = error;
                throw;
            }
        }

        return Take(isCanceled: false);
    }

    public override bool TryRead(out ReadResult result)
    {
        result = default;
        if (_isExamined && !_isEnded) return false;
        result = Take(isCanceled: false);
        return true;
    }

    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        // Positions count from the start of the underlying array, not from the first unread byte.
        var unread = new ReadOnlySequence<byte>(_unread);
        _isExamined = unread.Slice(examined).IsEmpty;
        _unread = unread.Slice(consumed).First;
    }

    public override void CancelPendingRead() => _isCancelled = true;

    public override void Complete(Exception? exception = null) => _ = CompleteAsync(exception).AsTask();

    public override ValueTask CompleteAsync(Exception? exception = null) => chunks.DisposeAsync();

    private void Append(ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty) return;
        var joined = new byte[_unread.Length + bytes.Length];
        _unread.Span.CopyTo(joined);
        bytes.CopyTo(joined.AsSpan(_unread.Length));
        _unread = joined;
        _isExamined = false;
    }

    private ReadResult Take(bool isCanceled)
    {
        _isCancelled = false;
        return new ReadResult(new ReadOnlySequence<byte>(_unread), isCanceled, _isEnded);
    }
}
