using System.Numerics;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Serialization;

namespace Mux.Engine;

/// <summary>A message that arrives in fragments, gathered in an array of its own. If it is unwanted, only its length is kept.</summary>
/// <param name="kind">Kind of its frames.</param>
/// <param name="id">Id of its call.</param>
/// <param name="length">Bytes of the whole body.</param>
/// <param name="isUnwanted">True if its bytes are dropped as they arrive.</param>
/// <param name="beside">Bytes of what is kept with the message.</param>
internal class PartialMessage(FrameKind kind, CallId id, int length, bool isUnwanted, int beside = 0)
{
    /// <summary>Least length of the array, unless the message is shorter: two fragments as this implementation sends them.</summary>
    private const int ShortestArray = 64 * 1024;

    /// <summary>A fragment shorter than this counts as tiny unless it is the last. The first one also counts: it only announces the length.</summary>
    public const int TinyFragment = 1024;

    /// <summary>
    /// The array is at most this many times what has arrived, so that an announced length holds nothing. Fragments of this implementation have 32 KiB: a
    /// message up to 2 MiB gets its whole array at once, which includes 1 MiB of data with its encoding around it. A longer one is copied once at 2 MiB and
    /// again at 128 MiB.
    /// </summary>
    private const int Ahead = 64;

    /// <summary>Least length of the array while memory is short, unless the message is shorter. Then it is at most twice what has arrived.</summary>
    private const int LeastArray = 1024;

    /// <summary>Bytes charged for a message in addition to its array: this object, its entry in the lists, and the head and deadline of a request.</summary>
    public const int EntryCharge = 384;

    /// <summary>
    /// Longest message that is decoded in the turn, if the code that gets it runs there too: 128 KiB take some 10 us to copy. A longer one is decoded on a
    /// worker, so that it does not occupy the turn.
    /// </summary>
    public const int LongestInTurn = 128 * 1024;

    /// <summary>Shortest array of the pool, and the longest one with a power of two as its length.</summary>
    private const int LeastPooled = 16, LargestPooled = 1 << 30;

    private byte[]? _array;
    private int _filled;
    private bool _isLent;
    private byte[]? _lentBefore;
    private MemoryShare? _memory;

    public FrameKind Kind => kind;

    public CallId Id => id;

    public int Length => length;

    /// <summary>Bytes of what is kept with the message.</summary>
    public int Beside => beside;

    /// <summary>Bytes taken of the connection's reassembly budget, from the first fragment on.</summary>
    public int Reserved => IsUnwanted ? 0 : ReservedFor(length) + beside;

    /// <summary>Bytes that are missing.</summary>
    public int Left => length - _filled;

    /// <summary>Number of fragments received, without the first, which carries no body.</summary>
    public int Fragments { get; private set; }

    /// <summary>Number of them that are shorter than <see cref="TinyFragment"/>.</summary>
    public int TinyFragments { get; private set; }

    /// <summary>
    /// Bytes taken of the server's memory: the array that there is, and what is kept with it. Released with the array, unless they are passed on.
    /// </summary>
    public long Charged { get; set; }

    /// <summary>True if the server had no memory for a fragment: the message is dropped, and its call must be ended.</summary>
    public bool IsStarved { get; set; }

    /// <summary>True if its bytes are dropped as they arrive.</summary>
    public bool IsUnwanted { get; private set; } = isUnwanted;

    /// <summary>Cost of its frames, if it is an item of a stream.</summary>
    public int Cost { get; set; }

    /// <summary>The metadata that came before the body of a reply, if its caller wants it.</summary>
    public byte[]? Metadata { get; set; }

    /// <summary>Index in the list of <c>PartialMessages</c>.</summary>
    public int Place { get; set; }

    /// <summary>Time of the first fragment. Owned by <see cref="FragmentWatch"/>, like the next two.</summary>
    public long BegunAt { get; set; }

    /// <summary>Time of the last fragment.</summary>
    public long TouchedAt { get; set; }

    /// <summary>Bytes of all messages that had arrived by then.</summary>
    public long ArrivedBefore { get; set; }

    /// <summary>Length of the current array.</summary>
    public int Capacity => _array?.Length ?? 0;

    /// <summary>The bytes received so far; empty if the message is unwanted.</summary>
    public ReadOnlySpan<byte> Body => _array is null ? [] : _array.AsSpan(0, _filled);

    /// <summary>Gets the final length of the array for a message: the pool has no other lengths.</summary>
    public static int ReservedFor(int length) => length > LargestPooled ? length : (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(length, LeastPooled));

    /// <summary>True if the array has room for a fragment.</summary>
    public bool HasRoomFor(int fragment) => Capacity - _filled >= fragment;

    /// <summary>Gets the length of an array for one more fragment and what may follow it.</summary>
    public int CapacityAhead(int fragment) =>
        ReservedFor((int)Math.Min(length, Math.Max(ShortestArray, 1L << BitOperations.Log2((ulong)(_filled + fragment) * Ahead))));

    /// <summary>Gets the length of the shortest array for one more fragment.</summary>
    public int LeastCapacity(int fragment) => ReservedFor(Math.Min(length, Math.Max(LeastArray, _filled + fragment)));

    /// <summary>Counts bytes that were taken of the server's memory for this message.</summary>
    public void Charge(MemoryShare memory, long bytes)
    {
        _memory = memory;
        Charged += bytes;
    }

    /// <summary>Passes on up to this many of the bytes taken of the server's memory.</summary>
    /// <returns>The bytes that the caller has now.</returns>
    public long PassOn(long bytes)
    {
        long passed = Math.Min(bytes, Charged);
        Charged -= passed;
        return passed;
    }

    public void Add(ReadOnlySpan<byte> fragment)
    {
        if (!IsUnwanted)
        {
            if (!HasRoomFor(fragment.Length)) Grow(CapacityAhead(fragment.Length));
            fragment.CopyTo(_array.AsSpan(_filled));
        }

        _filled += fragment.Length;
        Fragments++;
        if (fragment.Length < TinyFragment && Left > 0) TinyFragments++;
    }

    /// <summary>The message is no longer wanted.</summary>
    public void Forget()
    {
        Return();
        IsUnwanted = true;
    }

    /// <summary>Lends the array to the decoder that runs next on this thread, which may keep it. <see cref="Return"/> follows on the same thread.</summary>
    public void Lend()
    {
        if (_array is null) return;
        _isLent = true;
        _lentBefore = ReceivedArray.Lend(_array);
    }

    /// <summary>Returns the array to the pool, unless the decoder has kept it, and releases what is charged.</summary>
    public void Return()
    {
        if (Charged > 0) _memory!.Release(PassOn(Charged));
        if (_array is not { } array) return;
        _array = null;
        if (!_isLent || ReceivedArray.TryReturn(array, _lentBefore)) BufferPool.Return(array);
        else BufferPool.Release();
    }

    /// <summary>Moves what has arrived to a longer array.</summary>
    public void Grow(int capacity)
    {
        var array = BufferPool.Rent(capacity);
        if (_array is { } outgrown)
        {
            outgrown.AsSpan(0, _filled).CopyTo(array);
            BufferPool.Return(outgrown);
        }

        _array = array;
    }
}

/// <summary>The rules for the fragments of a message after its first frame (PROTOCOL.md section 6.1).</summary>
internal static class FragmentRules
{
    /// <summary>Gets the number of fragments that are accepted: each costs work however little it carries.</summary>
    public static int MaxFragmentsOf(int length) => (length / ProtocolConstants.LeastMeanFragment) + ProtocolConstants.ExtraFragments;

    /// <summary>Checks one fragment.</summary>
    /// <param name="header">Header of its frame.</param>
    /// <param name="bytes">Its length.</param>
    /// <param name="length">Length of the message.</param>
    /// <param name="left">Bytes that are missing before it.</param>
    /// <param name="fragments">Number of fragments before it.</param>
    /// <returns>The rule that it breaks, or null.</returns>
    public static ProtocolViolation? Check(FrameHeader header, int bytes, int length, int left, int fragments)
    {
        string? text = null;
        int most = MaxFragmentsOf(length);
        if (fragments == most)
        {
            return new BudgetBreach(ConnectionCode.ExcessiveLoad, $"{header.Kind} {header.Id} of {length} bytes comes in more than {most} fragments.",
                PeerLimit.TinyFrames);
        }

        bool isLast = (header.Flags & FrameFlags.More) == 0;
        if ((header.Flags & ~FrameFlags.More) != 0) text = $"continues a message with the flags {(int)header.Flags}; only MORE is allowed";
        else if (bytes == 0) text = "continues a message with 0 bytes";
        else if (bytes > left) text = $"has more than the {length} bytes that its first fragment announced";
        else if (isLast != (bytes == left)) text = $"{(isLast ? "ends" : "continues")} with {left - bytes} of the {length} announced bytes left";
        return text is null ? null : new(ConnectionCode.ProtocolError, $"{header.Kind} {header.Id} {text}.");
    }
}

/// <summary>
/// The rest of a request that was answered before it was whole: its fragments may still come, and are counted and dropped. Small, because a peer can have one
/// in each slot. Turn only.
/// </summary>
internal sealed class UnwantedRest
{
    private readonly int _length;
    private int _fragments;

    /// <param name="length">Length of a message of which only the first frame came, in bytes.</param>
    public UnwantedRest(int length) => (_length, Left) = (length, length);

    /// <param name="message">A message of which some fragments came.</param>
    public UnwantedRest(PartialMessage message) => (_length, Left, _fragments) = (message.Length, message.Left, message.Fragments);

    /// <summary>Bytes that are missing.</summary>
    public int Left { get; private set; }

    /// <summary>Counts a fragment.</summary>
    /// <returns>The rule that it breaks, or null.</returns>
    public ProtocolViolation? OnFragment(FrameHeader header, int bytes)
    {
        var violation = FragmentRules.Check(header, bytes, _length, Left, _fragments);
        if (violation is not null) return violation;
        Left -= bytes;
        _fragments++;
        return null;
    }
}
