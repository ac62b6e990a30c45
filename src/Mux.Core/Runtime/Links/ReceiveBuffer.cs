using System.Diagnostics;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>
/// Received bytes of one link: room to receive into, then all unconsumed bytes in one piece for the handler. Used by the thread that runs the link's turn.
/// Holds no array between turns unless a tail is left.
/// </summary>
/// <remarks>
/// Call <see cref="Room"/>, <see cref="Arrived"/> and <see cref="TryConsume"/> in a loop, <see cref="Park"/> before waiting, and <see cref="Release"/> at the
/// end.
/// </remarks>
internal sealed class ReceiveBuffer
{
    /// <summary>Maximum size of a receive while no large frame is incomplete: some 2,400 calls of 27 bytes, or 4,000 of the smallest.</summary>
    public const int BatchSize = 65_536;

    // A receive costs 3 us for 1 byte as for 16 KiB, so with less room the larger array is worth renting. That one always has the room: 131,072 -
    // Link.MaxUnconsumedBytes.
    private const int RoomWanted = 16_384;
    private const int LargeSize = 2 * BatchSize;

    // A tail up to this size moves to the smallest array that fits. A larger one stays in an array of at most eight times its size: copying it out and back for
    // every few bytes of a slow peer would cost more than the memory.
    private const int LargestMovedTail = 16_384;

    private byte[]? _array;
    private int _start;
    private int _end;

    /// <summary>Number of bytes delivered but not consumed, or arrived but not delivered.</summary>
    public int Unconsumed => _end - _start;

    /// <summary>True if one more receive fits without a larger array.</summary>
    public bool HasRoom => _array is not null && _array.Length - _end >= RoomWanted;

    /// <summary>For tests: length of the rented array, or 0.</summary>
    public int Held => _array?.Length ?? 0;

    /// <summary>Returns the free space after the tail, at least 16 KiB. Only this call moves arrays: it invalidates earlier spans.</summary>
    public Span<byte> Room()
    {
        MakeRoom();
        return _array.AsSpan(_end);
    }

    /// <summary>Like <see cref="Room"/>, for a receive that completes later.</summary>
    public Memory<byte> RoomMemory()
    {
        MakeRoom();
        return _array.AsMemory(_end);
    }

    /// <summary>Takes over the first <paramref name="count"/> bytes of the room and returns all that is unconsumed.</summary>
    public ReadOnlySpan<byte> Arrived(int count)
    {
        Debug.Assert(_array is not null && count <= _array.Length - _end, "Only room can be filled.");
        _end += count;
        return _array.AsSpan(_start, Unconsumed);
    }

    /// <summary>Drops consumed bytes from the front.</summary>
    /// <returns>False, with nothing changed, if the handler claims to have consumed more than it was given or leaves more than a link may keep.</returns>
    public bool TryConsume(int count)
    {
        if ((uint)count > (uint)Unconsumed || Unconsumed - count > Link.MaxUnconsumedBytes) return false;
        _start += count;
        return true;
    }

    /// <summary>Returns memory that is not needed while nothing arrives.</summary>
    public void Park()
    {
        int tail = Unconsumed;
        if (tail == 0) Release();
        else if (tail <= LargestMovedTail && _array!.Length >= BatchSize) MoveTo(BufferPool.Rent(tail));
    }

    /// <summary>Returns the array; the tail is lost.</summary>
    public void Release()
    {
        if (_array is { } array) BufferPool.Return(array);
        _array = null;
        _start = _end = 0;
    }

    private void MakeRoom()
    {
        int tail = Unconsumed;
        if (_array is null || _array.Length - tail < RoomWanted) MoveTo(BufferPool.Rent(tail + RoomWanted <= BatchSize ? BatchSize : LargeSize));
        else if (_start > 0) MoveTo(_array);
    }

    private void MoveTo(byte[] array)
    {
        int tail = Unconsumed;
        if (tail > 0) Buffer.BlockCopy(_array!, _start, array, 0, tail);
        if (_array is not null && _array != array) BufferPool.Return(_array);
        _array = array;
        _start = 0;
        _end = tail;
    }
}
