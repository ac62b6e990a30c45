using Mux.Buffers;
using Mux.Serialization;
using Mux.Wire;

namespace Mux.Lanes;

/// <summary>
/// A body too large for one frame, in an array of its own, which is sent from where it stands: the header of each fragment is written over the last bytes of
/// the one before, which are sent by then. So at most one fragment is on its way at a time.
/// </summary>
/// <remarks>
/// Guarded by the connection's lock, but for <see cref="OnFragmentReturned"/>, which the sender calls. Whoever lets go last, queue or sender, returns the
/// array.
/// </remarks>
internal sealed class BulkMessage
{
    /// <summary>Bytes before the body that are the message's too: the first fragment's header.</summary>
    public const int HeadRoom = MessageBuffer.HeadRoom;

    private readonly byte[] _array;
    private readonly int _end;
    private int _position;
    private int _holders = 1;
    private volatile bool _isOnItsWay;
    private FrameKind _kind;
    private CallId _id;
    private int _maxFragment;

    /// <param name="array">From the pool of all arrays; the message's from now on. The body begins behind <see cref="HeadRoom"/>.</param>
    /// <param name="length">Of the body, at least 1.</param>
    public BulkMessage(byte[] array, int length)
    {
        BufferPool.Adopt();
        _array = array;
        _position = HeadRoom;
        _end = HeadRoom + length;
    }

    /// <summary>Bytes of its array, which it has until it is sent.</summary>
    public int Capacity => _array.Length;

    /// <summary>Bytes of the body that are not handed out.</summary>
    public int Left => _end - _position;

    /// <summary>Whether its bytes are charged to the connection's bulk credit; a stream's have their own.</summary>
    public bool IsCharged { get; private set; }

    /// <summary>Whether a fragment can be taken.</summary>
    public bool IsReady => !_isOnItsWay;

    /// <summary>Copies a body that stands elsewhere.</summary>
    public static BulkMessage Copy(ReadOnlySpan<byte> body)
    {
        var array = BufferPool.Rent(HeadRoom + body.Length);
        BufferPool.Release(); // the message counts it
        body.CopyTo(array.AsSpan(HeadRoom));
        return new BulkMessage(array, body.Length);
    }

    /// <summary>Takes over a body that stands in a buffer, without a copy where that is possible.</summary>
    public static BulkMessage Take(MessageBuffer buffer, ReadOnlySpan<byte> body) =>
        buffer.TryDetach(body, out var array) ? new BulkMessage(array, body.Length) : Copy(body);

    /// <summary>Says whose it is. Its first frame, which says how long it is, is appended already.</summary>
    public void Begin(FrameKind kind, CallId id, int maxFragment, bool isCharged) => (_kind, _id, _maxFragment, IsCharged) = (kind, id, maxFragment, isCharged);

    /// <summary>The next fragment, header included.</summary>
    public OutboundBlock TakeFragment()
    {
        int length = Math.Min(Left, _maxFragment);
        int start = _position - FrameHeader.Size;
        _position += length;
        new FrameHeader(_kind, Left > 0 ? FrameFlags.More : FrameFlags.None, _id, length).Write(_array.AsSpan(start));
        _isOnItsWay = true;
        Interlocked.Increment(ref _holders);
        return OutboundBlock.OfFragment(this, _array, start, _position);
    }

    /// <summary>The fragment that was on its way is sent, or dropped.</summary>
    public void OnFragmentReturned()
    {
        _isOnItsWay = false;
        LetGo();
    }

    /// <summary>Nothing more of it is taken.</summary>
    public void LetGo()
    {
        if (Interlocked.Decrement(ref _holders) == 0) BufferPool.Return(_array);
    }
}
