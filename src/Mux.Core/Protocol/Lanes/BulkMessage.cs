using Mux.Runtime;
using Mux.Serialization;

namespace Mux.Protocol;

/// <summary>
/// A body too large for one frame, in an array of its own, and sent from there; the headers of its fragments are in their blocks.
/// </summary>
/// <remarks>
/// Guarded by the connection's lock, except <see cref="LetGo"/>, which the sender calls as well. The last holder, queue or sender, returns the array. A call
/// that may be sent again shares the array with the message of its next attempt.
/// </remarks>
internal sealed class BulkMessage
{
    private readonly byte[] _array;
    private readonly int _end;
    private readonly BulkMessage _first; // counts the holders of the array
    private int _position;
    private int _holders = 1;
    private FrameKind _kind;
    private CallId _id;
    private int _maxFragment;

    /// <param name="array">An array of the common pool, owned by the message from now on. The body is at its start.</param>
    /// <param name="length">Length of the body, at least 1.</param>
    public BulkMessage(byte[] array, int length)
    {
        BufferPool.Adopt();
        _array = array;
        _end = length;
        _first = this;
    }

    private BulkMessage(BulkMessage first) => (_first, _array, _end) = (first, first._array, first._end);

    /// <summary>Length of its array, which it holds until it is sent.</summary>
    public int Capacity => _array.Length;

    /// <summary>Length of the body.</summary>
    public int Length => _end;

    /// <summary>Bytes of the body that are not handed out yet.</summary>
    public int Left => _end - _position;

    /// <summary>True if a fragment of it was handed out.</summary>
    public bool IsBegun => _position > 0;

    /// <summary>True if its bytes are charged to the connection's bulk credit; streams have their own credit.</summary>
    public bool IsCharged { get; private set; }

    /// <summary>Creates a message with a copy of a body.</summary>
    public static BulkMessage Copy(ReadOnlySpan<byte> body)
    {
        var array = BufferPool.Rent(body.Length);
        BufferPool.Release(); // the message counts it
        body.CopyTo(array);
        return new BulkMessage(array, body.Length);
    }

    /// <summary>Takes over a body in a buffer, without a copy where possible.</summary>
    public static BulkMessage Take(MessageBuffer buffer, ReadOnlySpan<byte> body) =>
        buffer.TryDetach(body, out var array) ? new BulkMessage(array, body.Length) : Copy(body);

    /// <summary>Creates a message of the same body, from its start, in the same array. The caller knows that a holder of the array is left.</summary>
    public BulkMessage Share()
    {
        Interlocked.Increment(ref _first._holders);
        return new BulkMessage(_first);
    }

    /// <summary>Adds a holder of the array, which lets go of the returned message and shares it.</summary>
    public BulkMessage Hold()
    {
        Interlocked.Increment(ref _first._holders);
        return _first;
    }

    /// <summary>Sets its call. The first frame, which announces its length, is already appended.</summary>
    public void Begin(FrameKind kind, CallId id, int maxFragment, bool isCharged) => (_kind, _id, _maxFragment, IsCharged) = (kind, id, maxFragment, isCharged);

    /// <summary>Takes the next fragment, with its header. Its block is one more holder.</summary>
    public OutboundBlock TakeFragment()
    {
        int start = _position, length = Math.Min(Left, _maxFragment);
        _position += length;
        Interlocked.Increment(ref _first._holders);
        var header = new FrameHeader(_kind, Left > 0 ? FrameFlags.More : FrameFlags.None, _id, length);
        return OutboundBlock.OfFragment(this, header, _array, start, _position);
    }

    /// <summary>Releases the message: one holder needs it no longer.</summary>
    public void LetGo()
    {
        if (Interlocked.Decrement(ref _first._holders) == 0) BufferPool.Return(_array);
    }
}
