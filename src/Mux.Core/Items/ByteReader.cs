using System.IO.Pipelines;
using System.Runtime.ExceptionServices;
using Mux.Contracts;
using Mux.Execution;
using Mux.Sessions.Streaming;

namespace Mux.Items;

/// <summary>
/// The receiving half of one call's stream of bytes: what arrives is copied once, into a pipe, which is what the consumer reads. Bounded by the stream's
/// credit, which goes back as bytes are examined.
/// </summary>
/// <remarks>
/// A pipe that is completed with an error throws away what is in it. So the error of a stream whose bytes are still to be read stands beside the pipe, which
/// ends without it: the bytes come as if more followed, and the error when all of them were looked at.
/// </remarks>
internal sealed class ByteReader : PipeReader, IStreamReader<ByteChunk>
{
    private static readonly PipeOptions s_options =
        new(pauseWriterThreshold: 0, resumeWriterThreshold: 0, minimumSegmentSize: 16 * 1024, useSynchronizationContext: false);

    private readonly IItemConsumer _owner;
    private readonly Pipe _pipe = new(s_options);
    private readonly Lock _gate = new(); // guards the writing end, which the turn and the end of the call share
    private bool _isEnded;
    private Exception? _error; // comes behind the bytes; there before the pipe says that it is complete
    private bool _isListed; // the turn's
    private InboundWindow? _window;
    private long _arrivedBytes; // published with their cost under the lock
    private long _arrivedCost;

    // The consumer's.
    private ReadResult _last;
    private long _consumedBytes;
    private long _examinedAhead; // bytes that were looked at and not consumed
    private long _returnedCost;
    private ByteChunk _current;
    private bool _hasCurrent;
    private CancellationToken _readToken;

    public ByteReader(IItemConsumer owner) => _owner = owner;

    /// <inheritdoc/>
    public ByteChunk Current => _current;

    public IAsyncEnumerator<ByteChunk> Hold() => new HeldBytes(this);

    public void Begin(InboundWindow window) => _window = window;

    public bool OnItem(ReadOnlySpan<byte> body, int cost)
    {
        if (body.IsEmpty)
        {
            _window!.OnDropped(cost); // nobody is woken by it, who could give the credit back
            return false;
        }

        lock (_gate)
        {
            if (_isEnded) return false;
            body.CopyTo(_pipe.Writer.GetSpan(body.Length));
            _pipe.Writer.Advance(body.Length);
            _arrivedBytes += body.Length;
            _arrivedCost += cost;
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
        // It is in the pipe.
    }

    // The turn does not matter: all that arrived is in the pipe already, and whoever waits for it runs on the pool.
    public void End(Exception? error, Turn? turn, bool isTurns, bool drops)
    {
        lock (_gate)
        {
            if (_isEnded) return;
            _isEnded = true;
            if (!drops) _error = error;
            _pipe.Writer.Complete(drops ? error : null); // with what was written and not flushed
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

    /// <param name="holder">What must not be collected while it waits; null for nothing.</param>
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
        try
        {
            return HandOut(await _pipe.Reader.ReadAsync(cancellationToken).ConfigureAwait(false));
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
        long returned = CostUpTo(_consumedBytes + Math.Max(consumedNow, examinedNow));
        _consumedBytes += consumedNow;
        _examinedAhead = Math.Max(examinedNow - consumedNow, 0);
        _last = default;
        if (returned <= _returnedCost || length == 0) return;
        _window!.OnTaken((int)(returned - _returnedCost));
        _returnedCost = returned;
    }

    /// <inheritdoc/>
    public override void CancelPendingRead() => _pipe.Reader.CancelPendingRead();

    /// <inheritdoc/>
    public override void Complete(Exception? exception = null)
    {
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
        _owner.OnDisposed(); // the pipe is not completed: it would give its segments back to their pool
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        Complete();
        return default;
    }

    /// <summary>What the consumer gets of what the pipe has: the last bytes before an error are not the end.</summary>
    private ReadResult HandOut(ReadResult result)
    {
        if (result.IsCompleted && _error is { } error)
        {
            if (result.Buffer.Length <= _examinedAhead)
            {
                _pipe.Reader.AdvanceTo(result.Buffer.Start, result.Buffer.End); // nobody else does, and it may be read again
                ExceptionDispatchInfo.Throw(error);
            }

            result = new ReadResult(result.Buffer, result.IsCanceled, isCompleted: false);
        }

        return _last = result;
    }

    /// <summary>What bytes up to a place cost: all that came if they are all, else at least as much as they are.</summary>
    private long CostUpTo(long bytes)
    {
        lock (_gate) return bytes >= _arrivedBytes ? _arrivedCost : Math.Min(bytes, _arrivedCost);
    }

    private void Flush()
    {
        var flushing = _pipe.Writer.FlushAsync();
        if (flushing.IsCompleted) flushing.GetAwaiter().GetResult(); // it is: nothing pauses the writer
    }
}
