namespace Mux.Tool.Chaos;

/// <summary>
/// The bytes under way in one direction, in order, with the times at which they are due. Bounded: without space the reader of the socket waits, and so does
/// the sender. One task adds, another takes.
/// </summary>
/// <param name="capacity">Maximum number of bytes.</param>
internal sealed class DelayLine(int capacity)
{
    private const int InitialBytes = 16_384;

    // More pieces are joined: a piece becomes due with its last byte.
    private const int MaxPieces = 16_384;

    private readonly Lock _gate = new(); // guards the fields below
    private readonly Queue<Piece> _pieces = []; // the newest one is not in it
    private readonly Pulse _added = new();
    private readonly Pulse _released = new();
    private Piece _newest;
    private int _taken; // bytes of the first piece that are gone
    private byte[] _ring = new byte[Math.Min(InitialBytes, capacity)];
    private int _head;
    private int _count;
    private StreamEnd? _end;
    private long _endDue;

    /// <summary>Bytes under way.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _count;
        }
    }

    /// <summary>Waits for space for the next bytes.</summary>
    /// <returns>At least one byte; the caller fills it from the start and calls <see cref="Add"/>.</returns>
    public async ValueTask<Memory<byte>> SpaceAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            if (FindSpace() is { IsEmpty: false } space) return space;
            await _released.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Adds the first bytes of the space.</summary>
    /// <param name="count">Number of bytes, 1 and up.</param>
    /// <param name="due">When they are due, a timestamp; not before earlier bytes.</param>
    public void Add(int count, long due)
    {
        lock (_gate)
        {
            if (_newest.Count > 0 && _pieces.Count < MaxPieces)
            {
                _pieces.Enqueue(_newest);
                _newest = default;
            }

            _newest = new Piece(_newest.Count + count, due);
            _count += count;
        }

        _added.Set();
    }

    /// <summary>Ends the stream: nothing is added any more.</summary>
    public void Complete(StreamEnd end, long due)
    {
        lock (_gate) (_end, _endDue) = (end, due);
        _added.Set();
    }

    /// <summary>Waits for bytes or the end.</summary>
    /// <returns>When the first of them is due.</returns>
    public async ValueTask<long> NextDueAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            if (NextDue() is { } due) return due;
            await _added.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <param name="now">A timestamp.</param>
    /// <param name="limit">Maximum number of bytes, 1 and up.</param>
    /// <returns>The next bytes that are due, as far as they lie together; none if only the end is left.</returns>
    public ReadOnlyMemory<byte> DueBytes(long now, int limit)
    {
        lock (_gate)
        {
            int due = -_taken;
            foreach (var piece in _pieces)
            {
                if (piece.Due > now || due >= limit) break;
                due += piece.Count;
            }

            if (due + _newest.Count == _count && _newest.Due <= now) due = _count;
            return _ring.AsMemory(_head, Math.Clamp(due, 0, Math.Min(limit, _ring.Length - _head)));
        }
    }

    /// <returns>The end; null while there are bytes, or more may come.</returns>
    public StreamEnd? End()
    {
        lock (_gate) return _count == 0 ? _end : null;
    }

    /// <summary>Removes bytes that have been sent, or are dropped.</summary>
    public void Release(int count)
    {
        lock (_gate)
        {
            _head = (_head + count) % _ring.Length;
            _count -= count;
            _taken += count;
            while (_pieces.TryPeek(out var first) && _taken >= first.Count)
            {
                _taken -= first.Count;
                _pieces.Dequeue();
            }

            if (_count == 0) (_newest, _taken) = (default, 0);
        }

        _released.Set();
    }

    private long? NextDue()
    {
        lock (_gate)
        {
            if (_count > 0) return _pieces.TryPeek(out var first) ? first.Due : _newest.Due;
            return _end is null ? null : _endDue;
        }
    }

    private Memory<byte> FindSpace()
    {
        lock (_gate)
        {
            if (_count == _ring.Length) GrowLocked();
            if (_count == 0) _head = 0; // nothing is on its way to the socket, so all of the space can lie together
            int tail = (_head + _count) % _ring.Length;
            return _count == _ring.Length ? default : _ring.AsMemory(tail, (tail < _head ? _head : _ring.Length) - tail);
        }
    }

    // The old array stays as it is: bytes of it may be on their way to the socket.
    private void GrowLocked()
    {
        if (_ring.Length == capacity) return;
        var larger = new byte[(int)Math.Min(capacity, 2L * _ring.Length)];
        int first = Math.Min(_count, _ring.Length - _head);
        _ring.AsSpan(_head, first).CopyTo(larger);
        _ring.AsSpan(0, _count - first).CopyTo(larger.AsSpan(first));
        (_ring, _head) = (larger, 0);
    }

    private readonly record struct Piece(int Count, long Due);
}
