using System.Diagnostics;
using Mux.Buffers;

namespace Mux.Transports;

/// <summary>
/// The received bytes of one link on their way to the handler: room to receive into, then everything unconsumed in one piece.
/// Used by whoever runs the link's turn, one thread at a time. Holds no array between turns unless a tail is left.
/// </summary>
/// <remarks>
/// Use: <see cref="Room"/>, <see cref="Arrived"/>, <see cref="TryConsume"/>, again and again; <see cref="Park"/> before waiting; <see cref="Release"/> at
/// the end.
/// </remarks>
internal sealed class ReceiveBuffer
{
    /// <summary>What one receive takes at most while no large frame is incomplete: some 2,400 calls of 27 bytes, or 4,000 of the smallest.</summary>
    public const int BatchSize = 65_536;

    // A receive costs the same 3 us for 1 byte and for 16 KiB: with less room than that, it is worth renting the larger array. The larger
    // one always has it: 131,072 - Link.MaxUnconsumedBytes.
    private const int RoomWanted = 16_384;
    private const int LargeSize = 2 * BatchSize;

    // A tail up to this size waits in the smallest array that fits. A larger one stays where it is, eight times its size at most: copying it out and back for
    // every few bytes that a slow peer sends would cost more than its memory.
    private const int LargestMovedTail = 16_384;

    private byte[]? _array;
    private int _start;
    private int _end;

    /// <summary>Bytes delivered and not consumed, or arrived and not delivered.</summary>
    public int Unconsumed => _end - _start;

    /// <summary>Whether there is room for one more receive without a larger array.</summary>
    public bool HasRoom => _array is not null && _array.Length - _end >= RoomWanted;

    /// <summary>For tests: the length of the array that is held.</summary>
    public int Held => _array?.Length ?? 0;

    /// <summary>Free space behind the tail, at least 16 KiB. Arrays move here and nowhere else: spans taken before are void.</summary>
    public Span<byte> Room()
    {
        MakeRoom();
        return _array.AsSpan(_end);
    }

    /// <summary>The same for a receive that is not over when it returns.</summary>
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
    /// <returns>False, with nothing changed, when a handler claims to have consumed what it was not given or leaves more than a link may keep.</returns>
    public bool TryConsume(int count)
    {
        if ((uint)count > (uint)Unconsumed || Unconsumed - count > Link.MaxUnconsumedBytes) return false;
        _start += count;
        return true;
    }

    /// <summary>Gives back what is not needed while nothing arrives.</summary>
    public void Park()
    {
        int tail = Unconsumed;
        if (tail == 0) Release();
        else if (tail <= LargestMovedTail && _array!.Length >= BatchSize) MoveTo(BufferPool.Rent(tail));
    }

    /// <summary>Gives everything back; the tail is lost.</summary>
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
