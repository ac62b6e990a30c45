using System.IO.Pipelines;
using System.Runtime.ExceptionServices;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>
/// The receiving half of one call's byte stream. Arriving bytes are copied once, into a pipe that the consumer reads. Bounded by the stream's credit, which is
/// returned as bytes are examined.
/// </summary>
/// <remarks>
/// A pipe that is completed with an error drops its bytes. So the error of a stream with unread bytes is kept outside the pipe, which completes without it: the
/// consumer first gets the bytes as if more followed, and the error when it has looked at all of them.
/// </remarks>
internal sealed class ByteReader : PipeReader, IStreamReader<ByteChunk>
{
    private static readonly PipeOptions s_options =
        new(pauseWriterThreshold: 0, resumeWriterThreshold: 0, minimumSegmentSize: 16 * 1024, useSynchronizationContext: false);

    private readonly IItemConsumer _owner;
    private readonly Pipe _pipe = new(s_options);
    private readonly Lock _gate = new(); // guards the writing end, which the turn and the end of the call share
    private bool _isEnded;
    private Exception? _error; // comes after the bytes; set before the pipe is completed
    private bool _isListed; // of the turn
    private InboundWindow? _window;
    private long _arrivedBytes; // updated together with their cost, under the lock
    private long _arrivedCost;
    private long _arrivedItems;

    // Owned by the consumer.
    private ReadResult _last;
    private long _consumedBytes;
    private long _examinedAhead; // bytes examined and not consumed
    private long _returnedCost;
    private long _returnedItems;
    private ByteChunk _current;
    private bool _hasCurrent;
    private CancellationToken _readToken;
    private volatile bool _isDisposed;

    public ByteReader(IItemConsumer owner) => _owner = owner;

    /// <inheritdoc/>
    public ByteChunk Current => _current;

    public IAsyncEnumerator<ByteChunk> Hold() => new HeldBytes(this);

    public void Begin(InboundWindow window) => _window = window;

    public bool OnItem(ReadOnlySpan<byte> body, int cost)
    {
        if (body.IsEmpty)
        {
            _window!.OnDropped(cost); // an empty piece wakes no consumer that could return the credit
            return false;
        }

        lock (_gate)
        {
            if (_isEnded) return false;
            body.CopyTo(_pipe.Writer.GetSpan(body.Length));
            _pipe.Writer.Advance(body.Length);
            _arrivedBytes += body.Length;
            _arrivedCost += cost;
            _arrivedItems++;
        }

        if (_isListed) return false;
        return _isListed = true;
    }

    public void Publish(Turn? turn)
    {
        _isListed = false;
        lock (_gate)
        {
            if (!_isEnded) Flush();
        }
    }

    public void Settle()
    {
        // All that arrived is in the pipe already.
    }

    // The turn is not needed: all that arrived is in the pipe already, and a waiting consumer runs on the pool.
    public void End(Exception? error, Turn? turn, bool isTurns, bool drops)
    {
        lock (_gate)
        {
            if (_isEnded) return;
            _isEnded = true;
            if (!drops) _error = error;
            _pipe.Writer.Complete(drops ? error : null); // includes what was written and not flushed
        }
    }

    /// <inheritdoc/>
    public IAsyncEnumerator<ByteChunk> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        if (!_owner.OnEnumerated(cancellationToken)) _readToken = cancellationToken;
        return this;
    }

    /// <inheritdoc/>
    public ValueTask<bool> MoveNextAsync() => MoveNextForAsync(holder: null);

    /// <summary>Waits for the next chunk.</summary>
    /// <param name="holder">An object that must not be collected while it waits; null for none.</param>
    public async ValueTask<bool> MoveNextForAsync(HeldBytes? holder)
    {
        if (_hasCurrent) AdvanceTo(_last.Buffer.GetPosition(_current.Memory.Length));
        _hasCurrent = false;
        var result = await ReadForAsync(holder, _readToken).ConfigureAwait(false);
        if (result.Buffer.IsEmpty) return false;
        _current = new ByteChunk(result.Buffer.First);
        return _hasCurrent = true;
    }

    /// <inheritdoc/>
    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default) => ReadForAsync(holder: null, cancellationToken);

    /// <inheritdoc cref="MoveNextForAsync"/>
    public async ValueTask<ReadResult> ReadForAsync(HeldBytes? holder, CancellationToken cancellationToken)
    {
        var reading = _pipe.Reader.ReadAsync(cancellationToken);
        bool waits = !reading.IsCompleted;
        try
        {
            var result = await reading.ConfigureAwait(false);
            if (waits && _isDisposed) throw DroppedStream.WhileRead();
            return HandOut(result);
        }
        catch (InvalidOperationException) when (waits && _isDisposed)
        {
            throw DroppedStream.WhileRead(); // the pipe was completed before the wait continued
        }
        finally
        {
            GC.KeepAlive(holder);
        }
    }

    /// <inheritdoc/>
    public override bool TryRead(out ReadResult result)
    {
        if (!_pipe.Reader.TryRead(out result)) return false;
        result = HandOut(result);
        return true;
    }

    /// <inheritdoc/>
    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    /// <inheritdoc/>
    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        long length = _last.Buffer.Length;
        long consumedNow = _last.Buffer.Slice(0, consumed).Length;
        long examinedNow = _last.Buffer.Slice(0, examined).Length;
        _pipe.Reader.AdvanceTo(consumed, examined);
        var (returned, items) = ReadUpTo(_consumedBytes + Math.Max(consumedNow, examinedNow));
        _consumedBytes += consumedNow;
        _examinedAhead = Math.Max(examinedNow - consumedNow, 0);
        _last = default;
        if (returned <= _returnedCost || length == 0) return;
        _window!.OnTaken((int)(returned - _returnedCost), (int)(items - _returnedItems));
        (_returnedCost, _returnedItems) = (returned, items);
    }

    /// <inheritdoc/>
    public override void CancelPendingRead() => _pipe.Reader.CancelPendingRead();

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null)
    {
        _isDisposed = true;
        lock (_gate)
        {
            if (!_isEnded) _pipe.Writer.Complete();
            _isEnded = true;
        }

        _pipe.Reader.Complete(exception);
        _window?.Forget();
        _owner.OnDisposed();
    }

    /// <inheritdoc/>
    public void Drop()
    {
        _window?.Forget();
        _owner.OnDisposed(); // the pipe is not completed: that would return its segments to the pool
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        Complete();
        return default;
    }

    /// <summary>Gets what the consumer sees of a read: the last bytes before an error do not look like the end.</summary>
    private ReadResult HandOut(ReadResult result)
    {
        if (result.IsCompleted && _error is { } error)
        {
            if (result.Buffer.Length <= _examinedAhead)
            {
                _pipe.Reader.AdvanceTo(result.Buffer.Start, result.Buffer.End); // the consumer does not, and may read again
                ExceptionDispatchInfo.Throw(error);
            }

            result = new ReadResult(result.Buffer, result.IsCanceled, isCompleted: false);
        }

        return _last = result;
    }

    /// <summary>
    /// Gets cost and number of the items up to a position: exact if that is all that arrived, otherwise a lower bound, of one per byte and of those known to be
    /// read. A consumer that waits for more has looked at all.
    /// </summary>
    private (long Cost, long Items) ReadUpTo(long bytes)
    {
        lock (_gate) return bytes >= _arrivedBytes ? (_arrivedCost, _arrivedItems) : (Math.Min(bytes, _arrivedCost), _returnedItems);
    }

    private void Flush()
    {
        var flushing = _pipe.Writer.FlushAsync();
        if (flushing.IsCompleted) flushing.GetAwaiter().GetResult(); // always true: nothing pauses the writer
    }
}
