namespace Mux.Runtime;

/// <summary>One direction of a connection: a bounded ring of bytes between a writing and a reading link. All members require the pump's gate.</summary>
internal sealed class InMemoryPipe(int capacity)
{
    // Rented while it holds bytes.
    private byte[]? _ring;
    private int _start;

    /// <summary>Bytes sent and not yet delivered to the reader.</summary>
    public int Count { get; private set; }

    /// <summary>True once the writer has ended its stream. The reader learns of it after the last byte.</summary>
    public bool IsEnded { get; set; }

    /// <summary>True once the reader is gone: written bytes are dropped.</summary>
    public bool IsAbandoned { get; private set; }

    /// <summary>True while a test holds deliveries back.</summary>
    public bool IsHeld { get; set; }

    /// <summary>True while a delivery is queued in the pump or running.</summary>
    public bool IsDeliveryPosted { get; set; }

    /// <summary>True while the writer waits for the reader to make room.</summary>
    public bool IsWritableOwed { get; set; }

    /// <summary>Writes the bytes that fit.</summary>
    /// <returns>Number of bytes accepted from the front.</returns>
    public int Write(ReadOnlySpan<byte> bytes)
    {
        if (IsAbandoned) return bytes.Length;
        int accepted = Math.Min(bytes.Length, capacity - Count);
        if (accepted == 0) return 0;

        _ring ??= BufferPool.Rent(capacity);
        int end = (_start + Count) % capacity;
        int first = Math.Min(accepted, capacity - end);
        bytes[..first].CopyTo(_ring.AsSpan(end));
        bytes[first..accepted].CopyTo(_ring);
        Count += accepted;
        return accepted;
    }

    /// <summary>Moves the oldest bytes out; the pipe must hold as many.</summary>
    public void Read(Span<byte> destination)
    {
        int first = Math.Min(destination.Length, capacity - _start);
        _ring.AsSpan(_start, first).CopyTo(destination);
        _ring.AsSpan(0, destination.Length - first).CopyTo(destination[first..]);
        _start = (_start + destination.Length) % capacity;
        Count -= destination.Length;
        if (Count == 0) Drop();
    }

    /// <summary>Drops the content and all later writes.</summary>
    public void Abandon()
    {
        IsAbandoned = true;
        Drop();
    }

    private void Drop()
    {
        if (_ring is not null) BufferPool.Return(_ring);
        _ring = null;
        _start = Count = 0;
    }
}
