using System.Numerics;
using Mux.Buffers;
using Mux.Serialization;
using Mux.Wire;

namespace Mux.Sessions.Messages;

/// <summary>A message of which some fragments came, in one array of its own; or one that nobody wants, of which only the length is kept.</summary>
/// <param name="kind">Of its frames.</param>
/// <param name="id">Of its call.</param>
/// <param name="length">Bytes of the whole body.</param>
/// <param name="isUnwanted">Whether its bytes are forgotten as they come.</param>
/// <param name="beside">Bytes of what is kept with it.</param>
internal class PartialMessage(FrameKind kind, CallId id, int length, bool isUnwanted, int beside = 0)
{
    /// <summary>The array of a message is at least so long, or as long as the message: two fragments as this implementation sends them.</summary>
    private const int ShortestArray = 64 * 1024;

    /// <summary>A fragment that is not the last and shorter than this counts as tiny. So does the first of a message, which only says how long it is.</summary>
    public const int TinyFragment = 1024;

    /// <summary>
    /// An array is rented for at most so many times what came, so that a length which a peer only announces holds nothing. Fragments as this implementation
    /// sends them, of 32 KiB, get a message up to 2 MiB an array of its whole length at once, 1 MiB with what is around it in a message included; a longer one
    /// is copied once when 2 MiB came, and again at 128 MiB.
    /// </summary>
    private const int Ahead = 64;

    /// <summary>The pool's shortest array, and the longest whose length is a power of two.</summary>
    private const int LeastPooled = 16, LargestPooled = 1 << 30;

    private byte[]? _array;
    private int _filled;
    private bool _isLent;
    private byte[]? _lentBefore;

    public FrameKind Kind => kind;

    public CallId Id => id;

    public int Length => length;

    /// <summary>Bytes of what is kept with it.</summary>
    public int Beside => beside;

    /// <summary>What it takes of the reassembly budget from its first fragment on.</summary>
    public int Reserved => IsUnwanted ? 0 : ReservedFor(length) + beside;

    /// <summary>Bytes that are missing.</summary>
    public int Left => length - _filled;

    /// <summary>Fragments that came, the first one not counted, which carries no body.</summary>
    public int Fragments { get; private set; }

    /// <summary>Those of them that are shorter than <see cref="TinyFragment"/>.</summary>
    public int TinyFragments { get; private set; }

    /// <summary>More are not taken: each costs work however little it carries.</summary>
    public int MaxFragments => (length / ProtocolConstants.LeastMeanFragment) + ProtocolConstants.ExtraFragments;

    /// <summary>Whether its bytes are forgotten as they come.</summary>
    public bool IsUnwanted { get; private set; } = isUnwanted;

    /// <summary>What its frames cost, where it is an item of a stream.</summary>
    public int Cost { get; set; }

    /// <summary>What came before the body of a reply, if its caller wants it.</summary>
    public byte[]? Metadata { get; set; }

    /// <summary>Where <c>PartialMessages</c> lists it.</summary>
    public int Place { get; set; }

    /// <summary>When its first fragment came. <see cref="FragmentWatch"/>'s, as are the next two.</summary>
    public long BegunAt { get; set; }

    /// <summary>When something came of it last.</summary>
    public long TouchedAt { get; set; }

    /// <summary>Bytes that had come of all messages by then.</summary>
    public long ArrivedBefore { get; set; }

    /// <summary>Bytes of the array that it has now.</summary>
    public int Capacity => _array?.Length ?? 0;

    /// <summary>What came; nothing of one that nobody wants.</summary>
    public ReadOnlySpan<byte> Body => _array is null ? [] : _array.AsSpan(0, _filled);

    /// <summary>How long the array of a message is in the end: the pool has no others.</summary>
    public static int ReservedFor(int length) => length > LargestPooled ? length : (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(length, LeastPooled));

    public void Add(ReadOnlySpan<byte> fragment)
    {
        if (!IsUnwanted)
        {
            int needed = _filled + fragment.Length;
            if (_array is null || _array.Length < needed) Grow(needed);
            fragment.CopyTo(_array.AsSpan(_filled));
        }

        _filled += fragment.Length;
        Fragments++;
        if (fragment.Length < TinyFragment && Left > 0) TinyFragments++;
    }

    /// <summary>Nobody wants it any more.</summary>
    public void Forget()
    {
        Return();
        IsUnwanted = true;
    }

    /// <summary>Whoever decodes the body next, on this thread, may keep its array. <see cref="Return"/> follows on the same thread.</summary>
    public void Lend()
    {
        if (_array is null) return;
        _isLent = true;
        _lentBefore = ReceivedArray.Lend(_array);
    }

    /// <summary>Gives its memory back, if it was not kept by whom it was lent to.</summary>
    public void Return()
    {
        if (_array is not { } array) return;
        _array = null;
        if (!_isLent || ReceivedArray.TryReturn(array, _lentBefore)) BufferPool.Return(array);
        else BufferPool.Release();
    }

    [System.Diagnostics.CodeAnalysis.MemberNotNull(nameof(_array))]
    private void Grow(int needed)
    {
        long ahead = 1L << BitOperations.Log2((ulong)needed * Ahead); // the pool rounds up: what it has is never longer
        var array = BufferPool.Rent((int)Math.Min(length, Math.Max(ShortestArray, ahead)));
        if (_array is { } outgrown)
        {
            outgrown.AsSpan(0, _filled).CopyTo(array);
            BufferPool.Return(outgrown);
        }

        _array = array;
    }
}
