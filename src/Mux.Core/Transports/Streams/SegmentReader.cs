using System.Buffers;
using Mux.Buffers;

namespace Mux.Transports.Streams;

/// <summary>
/// Shows a sequence of segments to a handler that wants all it has left and something new in one piece: in place where that is in one segment, else from a copy
/// of no more than it takes. One thread at a time; holds an array only between <see cref="TryShow"/> and <see cref="Release"/>.
/// </summary>
/// <remarks>
/// What crosses the border of two segments is copied with 512 bytes beyond it, or with as many as are left unconsumed: most messages end within that, and the
/// rest of the segment is shown in place again. A message of many segments is copied at most twice.
/// </remarks>
internal sealed class SegmentReader
{
    private const int FewestCopied = 512;

    // As much as one receive from a socket, so that a writer's huge segment is no huge batch; with a large tail more, so that each piece brings something worth
    // a call.
    private const int MostShown = 65_536;
    private const int FewestNew = 16_384;

    private ReadOnlySequence<byte> _rest; // begins with what is unconsumed
    private int _unconsumed; // of the front of the rest: shown and left; kept over sequences
    private int _shown;
    private bool _isAgain; // what is unconsumed is shown although nothing may be new
    private byte[]? _copy;

    /// <summary>Up to where everything is consumed.</summary>
    public SequencePosition Consumed => _rest.Start;

    /// <summary>A sequence that begins with what the last one left unconsumed.</summary>
    /// <returns>Whether it holds anything new.</returns>
    public bool Begin(ReadOnlySequence<byte> sequence)
    {
        _rest = sequence;
        _shown = _unconsumed;
        return sequence.Length > _unconsumed;
    }

    /// <summary>The next piece is all that is unconsumed, new or not.</summary>
    public void ShowAgain() => _isAgain = _unconsumed > 0;

    /// <summary>The next piece: all that is unconsumed, and at least one new byte.</summary>
    /// <returns>False if there is no new one.</returns>
    public bool TryShow(out ReadOnlySpan<byte> bytes)
    {
        bytes = default;
        int needed = _isAgain ? _unconsumed : _unconsumed + 1;
        _isAgain = false;
        var first = _rest.FirstSpan;
        if (first.Length >= needed)
        {
            _shown = Math.Min(first.Length, Math.Max(MostShown, _unconsumed + FewestNew));
            bytes = first[.._shown];
            return true;
        }

        if (_rest.Length < needed) return false;
        _shown = (int)Math.Min(_rest.Length, _unconsumed + Math.Max(FewestCopied, _unconsumed));
        if (_copy is null || _copy.Length < _shown)
        {
            Release();
            _copy = BufferPool.Rent(_shown);
        }

        _rest.Slice(0, _shown).CopyTo(_copy);
        bytes = _copy.AsSpan(0, _shown);
        return true;
    }

    /// <summary>Drops consumed bytes from the front of what was shown.</summary>
    /// <returns>False, with nothing changed, when that cannot be.</returns>
    public bool TryConsume(int count)
    {
        if ((uint)count > (uint)_shown || _shown - count > Link.MaxUnconsumedBytes) return false;
        _rest = _rest.Slice(count);
        _shown = _unconsumed = _shown - count;
        return true;
    }

    /// <summary>Gives the array back: what was shown is void.</summary>
    public void Release()
    {
        if (_copy is { } copy) BufferPool.Return(copy);
        _copy = null;
    }
}
