using System.Diagnostics;
using System.Runtime.InteropServices;
using Mux.Runtime;

namespace Mux.Protocol;

/// <summary>
/// A part of the outgoing byte stream: whole frames in a rented array, or one fragment, whose bytes stay in the array of its message. Filled by one owner (the
/// queue under its lock, or a turn), then sent by one sender, then returned. Never written again once it is being sent.
/// </summary>
internal sealed class OutboundBlock
{
    /// <summary>
    /// A full batch of common messages: 2,000 requests of 23 bytes are 46,000 bytes, and 200 replies of 57 bytes are 11,400. A block is sent whole. A larger
    /// frame gets a block of its own size.
    /// </summary>
    public const int Size = 64 * 1024;

    /// <summary>A fragment has its header apart from its part of the message.</summary>
    public const int MostPieces = 2;

    private byte[] _array = [];
    private BulkMessage? _message; // the owner of the array, if the block carries a fragment
    private byte[]? _header; // of a fragment; pinned, and kept when the block is reused
    private int _headerLeft; // unsent bytes of it
    private int _start;
    private int _end;
    private int _capacity; // after a fragment comes the rest of its message, so nothing is free

    private OutboundBlock()
    {
    }

    /// <summary>True if it comes from the <see cref="BulkLane"/>.</summary>
    public bool IsBulk { get; set; }

    /// <summary>The next block in the queue.</summary>
    public OutboundBlock? Next { get; set; }

    /// <summary>Bytes that are filled and not sent. Not for a fragment, which is in two pieces.</summary>
    public ReadOnlySpan<byte> Unsent
    {
        get
        {
            Debug.Assert(_headerLeft == 0);
            return _array.AsSpan(_start, _end - _start);
        }
    }

    public int UnsentLength => _headerLeft + _end - _start;

    /// <summary>Number of pieces of memory that hold the unsent bytes: at most <see cref="MostPieces"/>.</summary>
    public int Pieces => (_headerLeft > 0 ? 1 : 0) + (_end > _start ? 1 : 0);

    /// <summary>Length of its array, if the block owns it.</summary>
    public int Capacity => _message is null ? _array.Length : 0;

    /// <summary>Memory for the next frame.</summary>
    public Span<byte> Free => _array.AsSpan(_end);

    public int FreeLength => _capacity - _end;

    /// <summary>Rents an empty block with room for at least <paramref name="size"/> bytes.</summary>
    public static OutboundBlock Rent(int size)
    {
        var block = ObjectPool<OutboundBlock>.Shared.TryRent() ?? new OutboundBlock();
        block._array = BufferPool.Rent(Math.Max(size, Size));
        block._capacity = block._array.Length;
        return block;
    }

    /// <summary>Creates a block that carries a fragment: a header, and a part of the array of its message.</summary>
    public static OutboundBlock OfFragment(BulkMessage message, FrameHeader header, byte[] array, int start, int end)
    {
        var block = ObjectPool<OutboundBlock>.Shared.TryRent() ?? new OutboundBlock();
        header.Write(block._header ??= GC.AllocateUninitializedArray<byte>(FrameHeader.Size, pinned: true));
        block._headerLeft = FrameHeader.Size;
        (block._message, block._array, block._start, block._end, block._capacity) = (message, array, start, end, end);
        return block;
    }

    /// <summary>Marks the next <paramref name="count"/> bytes of <see cref="Free"/> as filled.</summary>
    public void Commit(int count)
    {
        Debug.Assert((uint)count <= (uint)FreeLength);
        _end += count;
    }

    /// <summary>Lists the unsent bytes.</summary>
    /// <param name="pieces">Receives <see cref="Pieces"/> pieces.</param>
    public void List(Span<ReadOnlyMemory<byte>> pieces)
    {
        int count = 0;
        if (_headerLeft > 0) pieces[count++] = MemoryMarshal.CreateFromPinnedArray(_header!, FrameHeader.Size - _headerLeft, _headerLeft);
        if (_end > _start) pieces[count] = _array.AsMemory(_start, _end - _start);
    }

    /// <summary>Marks the first <paramref name="count"/> unsent bytes as sent.</summary>
    public void Consume(int count)
    {
        Debug.Assert((uint)count <= (uint)UnsentLength);
        int ofHeader = Math.Min(count, _headerLeft);
        _headerLeft -= ofHeader;
        _start += count - ofHeader;
    }

    /// <summary>Drops unsent bytes, which were copied.</summary>
    public void Clear() => _start = _end = 0;

    /// <summary>True if the content of the block is wiped before its array is used again.</summary>
    public bool IsSecret { get; private set; }

    /// <summary>Sets <see cref="IsSecret"/>.</summary>
    public void SetSecret() => IsSecret = true;

    /// <summary>Returns the block.</summary>
    /// <returns>The next block.</returns>
    public OutboundBlock? Return()
    {
        var next = Next;
        if (IsSecret) _array.AsSpan().Clear();
        IsSecret = IsBulk = false;
        if (_message is { } message) message.LetGo();
        else BufferPool.Return(_array);
        _message = null;
        _array = [];
        _start = _end = _capacity = _headerLeft = 0;
        Next = null;
        ObjectPool<OutboundBlock>.Shared.Return(this);
        return next;
    }
}
