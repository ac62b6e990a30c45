using System.Diagnostics;
using System.Threading.Tasks.Sources;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>
/// Presents a link of another transport as a stream, for layers such as TLS that need one. Reads complete on the delivering thread, so that the layer above
/// runs where the engine's own links do, such as on an event loop.
/// </summary>
/// <remarks>
/// <para>Before <see cref="RunInPlace"/>, reads and writes complete on the thread pool, because a handshake would block an event loop for too long. One read
/// and one write at a time.</para>
/// <para>Bytes that arrive without a pending read are buffered up to a limit; beyond it the link is paused. If the link cannot be paused, its delivering thread
/// waits, as it does for any slow handler. Before <see cref="RunInPlace"/> such a link is closed instead, because the peer decides how long a handshake
/// takes.</para>
/// </remarks>
/// <param name="link">A link that is not started. The stream owns it.</param>
internal sealed class LinkStream(Link link) : Stream, ILinkHandler
{
    /// <summary>Maximum number of bytes buffered without a read: twice the size of one delivery.</summary>
    internal const int Limit = 256 * 1024;

    /// <summary>The limit before <see cref="RunInPlace"/> if the link can be paused: two TLS records, because the peer is not authenticated yet.</summary>
    private const int EarlyLimit = 32 * 1024;

    private readonly object _gate = new(); // guards all fields below
    private readonly StreamSignal _read = new();
    private readonly StreamSignal _written = new();
    private readonly TaskCompletionSource _connected = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private ulong _head; // the first bytes received, the first one in the lowest byte
    private int _headLength;
    private byte[]? _array; // received bytes that were not read
    private int _start;
    private int _end;
    private Memory<byte> _target; // of the pending read
    private bool _isReading;
    private bool _isOver; // no more bytes will arrive
    private bool _isDisposed; // no more reads will come
    private Exception? _error; // reason of the end, unless it was graceful
    private bool _runsInPlace;
    private bool _isPaused;
    private bool _isShut;

    private ReadOnlyMemory<byte> _unsent; // rest of the write in progress; owned by the sending thread
    private Sending _sending;
    private bool _isWritable; // signalled while a thread was sending

    private long _deliveries; // number of deliveries begun
    private long _driving; // the delivery in which the layer above runs, or 0
    private int _driven; // its bytes
    private long _lost; // the last delivery whose thread has lost its place
    private bool _owesPlace; // the place was lost, and no thread has taken it in the link yet

    private enum Sending
    {
        Nothing,
        Now,
        Waiting,
    }

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public string RemoteAddress => link.RemoteAddress;

    /// <inheritdoc cref="Link.CanHandOver"/>
    public bool CanHandOver => link.CanHandOver;

    /// <summary>The first bytes received, at most eight: they tell the protocol of a peer that does not speak the layer above. Thread-safe.</summary>
    public byte[] Head
    {
        get
        {
            lock (_gate) return BitConverter.GetBytes(_head)[.._headLength];
        }
    }

    /// <summary>True if unread bytes are waiting. Thread-safe.</summary>
    public bool HasWaiting
    {
        get
        {
            lock (_gate)
            {
                if (_end > _start) return true;
            }

            return link is ICarrierLink carrier ? carrier.HasInputWaiting : link.HasUndeliveredInput;
        }
    }

    /// <summary>Connects, or starts an accepted link. Disposal ends the wait.</summary>
    /// <exception cref="Exception">The connect failed.</exception>
    public Task OpenAsync()
    {
        link.Start(this);
        return _connected.Task;
    }

    /// <summary>Makes reads complete on the delivering thread from now on.</summary>
    public void RunInPlace()
    {
        lock (_gate) _runsInPlace = true;
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        lock (_gate)
        {
            if (_isDisposed) return ValueTask.FromException<int>(new ObjectDisposedException(nameof(LinkStream)));
            if (_end > _start)
            {
                int count = TakeLocked(buffer.Span);
                GoOnLocked();
                return new(count);
            }

            if (_isOver) return _error is null ? new(0) : ValueTask.FromException<int>(_error);
            _target = buffer;
            _isReading = true;
            return _read.Begin();
        }
    }

    public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ValueTask pending;
        lock (_gate)
        {
            if (_isOver && _error is not null) return ValueTask.FromException(_error);
            if (_isShut) return default; // TLS itself, which answers something it has read
            if (_sending != Sending.Nothing) return ValueTask.FromException(new IOException("A write is already in progress."));
            _sending = Sending.Now;
            _isWritable = false;
            _unsent = buffer;
            pending = _written.BeginWithoutResult();
        }

        return TrySendAll() ? default : pending;
    }

    /// <summary>Ends the sending side. No write may be in progress.</summary>
    public void ShutdownSend()
    {
        lock (_gate) _isShut = true;
        link.ShutdownSend();
    }

    public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public override void Flush()
    {
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    /// <summary>
    /// Notes that the thread that runs the layer above inside a delivery will not return soon. <see cref="TakePlace"/> must follow when another thread is done
    /// with the layer above.
    /// </summary>
    public void LosePlace()
    {
        lock (_gate)
        {
            if (_driving == 0) return; // the layer above runs elsewhere
            _lost = _driving;
            _driving = 0;
            _owesPlace = true;
        }
    }

    /// <summary>Continues the link on the calling thread, if the link's thread was lost. See <see cref="Link.HandOver"/>.</summary>
    public void TakePlace()
    {
        int consumed;
        lock (_gate)
        {
            if (!_owesPlace) return;
            _owesPlace = false;
            consumed = _driven;
        }

        link.HandOver(consumed);
    }

    void ILinkHandler.OnConnected() => _connected.TrySetResult();

    int ILinkHandler.OnReceived(ReadOnlySpan<byte> bytes)
    {
        long delivery;
        int count;
        bool isInPlace;
        lock (_gate)
        {
            if (_isDisposed) return bytes.Length;
            if (_headLength < sizeof(ulong)) NoteHeadLocked(bytes);
            KeepLocked(bytes);
            if (!_isReading)
            {
                AwaitRoomLocked();
                return bytes.Length;
            }

            isInPlace = _runsInPlace;
            count = TakeForReadLocked();
            delivery = ++_deliveries;
            if (isInPlace) (_driving, _driven) = (delivery, bytes.Length);
        }

        _read.Complete(count, isInPlace);
        lock (_gate)
        {
            if (_driving == delivery) _driving = 0;
            return _lost >= delivery ? Link.HandedOver : bytes.Length;
        }
    }

    void ILinkHandler.OnBatchEnd()
    {
        // The layer above has already sent what it had to send.
    }

    void ILinkHandler.OnWritable()
    {
        bool isInPlace;
        lock (_gate)
        {
            if (_sending == Sending.Now) _isWritable = true;
            if (_sending != Sending.Waiting) return;
            _sending = Sending.Now;
            isInPlace = _runsInPlace;
        }

        if (TrySendAll()) _written.Complete(0, isInPlace);
    }

    void ILinkHandler.OnClosed(LinkCloseCause cause, Exception? error)
    {
        bool isReading, isWriting;
        lock (_gate)
        {
            _isOver = true;
            _error = cause switch
            {
                LinkCloseCause.EndOfStream => null,
                LinkCloseCause.Closed => new ObjectDisposedException(nameof(LinkStream)),
                _ => error ?? new IOException("The connection broke."),
            };
            (isReading, _isReading) = (_isReading && _end == _start, false);
            isWriting = _sending == Sending.Waiting;
            if (isWriting) _sending = Sending.Nothing;
            Monitor.PulseAll(_gate);
        }

        _connected.TrySetException(_error ?? new IOException("The peer has closed the connection."));
        _ = _connected.Task.Exception; // observed: no caller may be waiting
        if (isWriting) _written.Fail(_error ?? new IOException("The peer has closed the connection."));
        if (!isReading) return;
        if (_error is null) _read.Complete(0, isInPlace: false);
        else _read.Fail(_error);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            link.Close();
            lock (_gate)
            {
                _isDisposed = true;
                ReleaseLocked();
                GoOnLocked();
            }
        }

        base.Dispose(disposing);
    }

    /// <returns>False if the link accepts no more; <see cref="ILinkHandler.OnWritable"/> then continues.</returns>
    private bool TrySendAll()
    {
        while (true)
        {
            int accepted = link.Send(_unsent.Span);
            lock (_gate)
            {
                _unsent = _unsent[accepted..];
                if (_unsent.IsEmpty || _isOver)
                {
                    _unsent = default;
                    _sending = Sending.Nothing;
                    return true;
                }

                if (!_isWritable)
                {
                    _sending = Sending.Waiting;
                    return false;
                }

                _isWritable = false;
            }
        }
    }

    private int LimitLocked => _runsInPlace || link is not ICarrierLink ? Limit : EarlyLimit;

    /// <summary>Pauses, waits or closes if bytes beyond the limit were received without a read.</summary>
    private void AwaitRoomLocked()
    {
        Debug.Assert(Monitor.IsEntered(_gate));
        if (_end - _start <= LimitLocked) return;
        if (link is ICarrierLink carrier)
        {
            if (!_isPaused) carrier.Pause();
            _isPaused = true;
        }
        else if (_runsInPlace)
        {
            while (_end - _start > Limit && !_isDisposed) EngineThread.AwaitPulse(_gate, Timeout.Infinite);
        }
        else
        {
            link.Close();
        }
    }

    /// <summary>Resumes the link once there is room again, or no more reads will come.</summary>
    private void GoOnLocked()
    {
        Debug.Assert(Monitor.IsEntered(_gate));
        if (_end - _start > LimitLocked / 2 && !_isDisposed) return;
        Monitor.PulseAll(_gate);
        if (!_isPaused) return;
        _isPaused = false;
        ((ICarrierLink)link).Resume();
    }

    private void NoteHeadLocked(ReadOnlySpan<byte> bytes)
    {
        Debug.Assert(Monitor.IsEntered(_gate));
        foreach (byte next in bytes[..Math.Min(bytes.Length, sizeof(ulong) - _headLength)]) _head |= (ulong)next << (8 * _headLength++);
    }

    private void KeepLocked(ReadOnlySpan<byte> bytes)
    {
        Debug.Assert(Monitor.IsEntered(_gate));
        int kept = _end - _start;
        if (_array is null || _array.Length - _end < bytes.Length)
        {
            var array = _array is not null && _array.Length - kept >= bytes.Length ? _array : BufferPool.Rent(Math.Max(kept + bytes.Length, 4096));
            if (kept > 0) Buffer.BlockCopy(_array!, _start, array, 0, kept);
            if (_array is not null && _array != array) BufferPool.Return(_array);
            (_array, _start, _end) = (array, 0, kept);
        }

        bytes.CopyTo(_array.AsSpan(_end));
        _end += bytes.Length;
    }

    private int TakeForReadLocked()
    {
        Debug.Assert(Monitor.IsEntered(_gate));
        _isReading = false;
        int count = TakeLocked(_target.Span);
        _target = default;
        return count;
    }

    private int TakeLocked(Span<byte> target)
    {
        Debug.Assert(Monitor.IsEntered(_gate));
        int count = Math.Min(target.Length, _end - _start);
        _array.AsSpan(_start, count).CopyTo(target);
        _start += count;
        if (_start == _end) ReleaseLocked();
        return count;
    }

    private void ReleaseLocked()
    {
        Debug.Assert(Monitor.IsEntered(_gate));
        if (_array is not null) BufferPool.Return(_array);
        (_array, _start, _end) = (null, 0, 0);
    }
}

/// <summary>Completion of one stream operation at a time, without an allocation per operation.</summary>
internal sealed class StreamSignal : IValueTaskSource<int>, IValueTaskSource
{
    private ManualResetValueTaskSourceCore<int> _core;

    /// <summary>Starts an operation. The previous one must have been awaited.</summary>
    public ValueTask<int> Begin()
    {
        _core.Reset();
        return new(this, _core.Version);
    }

    /// <summary>Starts an operation whose result does not matter.</summary>
    public ValueTask BeginWithoutResult()
    {
        _core.Reset();
        return new(this, _core.Version);
    }

    /// <param name="result">Result of the operation.</param>
    /// <param name="isInPlace">True to run the continuation on this thread, which must not be inside a call of a stream; false to use the thread pool.</param>
    public void Complete(int result, bool isInPlace)
    {
        _core.RunContinuationsAsynchronously = !isInPlace;
        using var delivery = StreamScope.BeginDelivery();
        _core.SetResult(result);
    }

    public void Fail(Exception error)
    {
        _core.RunContinuationsAsynchronously = true;
        _core.SetException(error);
    }

    int IValueTaskSource<int>.GetResult(short token) => _core.GetResult(token);

    void IValueTaskSource.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<int>.GetStatus(short token) => _core.GetStatus(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<int>.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
