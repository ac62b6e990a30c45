using Mux.Buffers;

namespace Mux.Transports.InMemory;

/// <summary>
/// One direction of a connection: a bounded ring of bytes between a writing and a reading link. All members need the pump's gate.
/// </summary>
internal sealed class InMemoryPipe(int capacity)
{
    // Rented while bytes are in it.
    private byte[]? _ring;
    private int _start;

    /// <summary>Bytes sent and not yet given to the reader.</summary>
    public int Count { get; private set; }

    /// <summary>The writer sends nothing more. The reader is told after the last byte.</summary>
    public bool IsEnded { get; set; }

    /// <summary>The reader is gone: what is written is dropped.</summary>
    public bool IsAbandoned { get; private set; }

    /// <summary>A test holds deliveries back.</summary>
    public bool IsHeld { get; set; }

    /// <summary>A delivery is in the pump's queue or running.</summary>
    public bool IsDeliveryPosted { get; set; }

    /// <summary>The writer was told to wait until the reader took something.</summary>
    public bool IsWritableOwed { get; set; }

    /// <summary>Takes what fits.</summary>
    /// <returns>How many bytes from the front were taken.</returns>
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

    /// <summary>Moves the oldest bytes out; there must be as many.</summary>
    public void Read(Span<byte> destination)
    {
        int first = Math.Min(destination.Length, capacity - _start);
        _ring.AsSpan(_start, first).CopyTo(destination);
        _ring.AsSpan(0, destination.Length - first).CopyTo(destination[first..]);
        _start = (_start + destination.Length) % capacity;
        Count -= destination.Length;
        if (Count == 0) Drop();
    }

    /// <summary>Drops what is in it and whatever will be written.</summary>
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
