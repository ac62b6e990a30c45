using System.Buffers;
using System.IO.Pipelines;
using System.Net.Sockets;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>Receives from a <see cref="PipeReader"/>: shows its segments in place.</summary>
internal sealed class PipeInput(PipeReader reader) : ByteInput
{
    private readonly SegmentReader _segments = new();
    private PendingResult<ReadResult> _read;
    private ReadOnlySequence<byte> _taken;
    private bool _hasTaken; // the reader still has to be told how much is consumed
    private int _hasWaiting; // 1: bytes are known to be there and not taken

    public override bool FindsBreak => false;

    public override bool HasWaiting => Volatile.Read(ref _hasWaiting) == 1;

    public override bool Begin()
    {
        Advance();
        if (reader.TryRead(out var result)) _read.Begin(new ValueTask<ReadResult>(result));
        else _read.Begin(reader.ReadAsync());
        bool isCompleted = _read.IsCompleted;
        Volatile.Write(ref _hasWaiting, isCompleted ? 1 : 0);
        return isCompleted;
    }

    public override void OnCompleted(Action continuation) => _read.OnCompleted(continuation);

    public override bool TryTake()
    {
        var result = _read.End();
        Volatile.Write(ref _hasWaiting, 0);
        _taken = result.Buffer;
        _hasTaken = true;
        IsAtEnd = result.IsCompleted;
        bool hasNew = _segments.Begin(_taken);
        if (!hasNew && !IsAtEnd) return Begin() && TryTake(); // the read was cancelled without reaching the end
        return true;
    }

    public override bool TryShow(out ReadOnlySpan<byte> bytes) => _segments.TryShow(out bytes);

    public override bool TryConsume(int count) => _segments.TryConsume(count);

    public override void ShowAgain() => _segments.ShowAgain();

    public override bool TryCancel()
    {
        reader.CancelPendingRead();
        return true;
    }

    public override void Release()
    {
        _read.Discard();
        StreamFailure.Attempt(Advance); // the reader's owner may have completed it meanwhile
        StreamFailure.Attempt(() => reader.Complete());
        _segments.Release();
    }

    private void Advance()
    {
        if (!_hasTaken) return;
        _hasTaken = false;
        reader.AdvanceTo(_segments.Consumed, _taken.End);
        _segments.Release();
        _taken = default;
    }
}

/// <summary>Sends to a <see cref="PipeWriter"/>. The writer's pause threshold makes a flush wait, and so the link.</summary>
internal sealed class PipeOutput(PipeWriter writer) : ByteOutput
{
    private PendingResult<FlushResult> _flush;
    private volatile bool _isCut; // a flush was cancelled, and the writer may still hold its bytes

    public override bool CanShutdown => true;

    public override int Begin(ReadOnlySpan<byte> bytes)
    {
        int count = Math.Min(bytes.Length, LargestWrite);
        writer.Write(bytes[..count]);
        _flush.Begin(writer.FlushAsync());
        return count;
    }

    public override void OnCompleted(Action continuation) => _flush.OnCompleted(continuation);

    public override bool TryEnd()
    {
        if (!_flush.IsCompleted) return false;
        if (_flush.End().IsCompleted) throw new SocketException((int)SocketError.Shutdown); // like a socket whose peer no longer reads
        return true;
    }

    public override void Shutdown() => Complete();

    public override void Cancel()
    {
        _isCut = true;
        StreamFailure.Attempt(writer.CancelPendingFlush); // a completed writer has no pending flush to cancel
    }

    public override void Release() => StreamFailure.Attempt(Complete);

    /// <summary>
    /// Completes with an error after a cancelled flush: otherwise a writer on a stream would write what it holds and block this thread while the peer does not
    /// read.
    /// </summary>
    private void Complete() => writer.Complete(_isCut ? new IOException("The connection was closed before all bytes were sent.") : null);
}

/// <summary>
/// Shows a sequence of segments to a handler that needs all unconsumed bytes and at least one new byte in one piece: in place if they are in one segment,
/// otherwise from a minimal copy. Not thread-safe. Holds an array only between <see cref="TryShow"/> and <see cref="Release"/>.
/// </summary>
/// <remarks>
/// A piece across the border of two segments is copied with 512 bytes beyond it, or with as many as are unconsumed. Most messages end within that; the rest of
/// the segment is then shown in place again. A message of many segments is copied at most twice.
/// </remarks>
internal sealed class SegmentReader
{
    private const int FewestCopied = 512;

    // The size of one receive from a socket, so that a huge segment is not a huge batch. With a large tail more, so that each piece has enough new bytes to be
    // worth a call.
    private const int MostShown = 65_536;
    private const int FewestNew = 16_384;

    private ReadOnlySequence<byte> _rest; // begins with the unconsumed bytes
    private int _unconsumed; // length of the front of _rest that was shown and left; kept between sequences
    private int _shown;
    private bool _isAgain; // show the unconsumed bytes even without a new one
    private byte[]? _copy;

    /// <summary>The position up to which all bytes are consumed.</summary>
    public SequencePosition Consumed => _rest.Start;

    /// <summary>Starts with a sequence that begins with the bytes that the last one left unconsumed.</summary>
    /// <returns>True if it holds anything new.</returns>
    public bool Begin(ReadOnlySequence<byte> sequence)
    {
        _rest = sequence;
        _shown = _unconsumed;
        return sequence.Length > _unconsumed;
    }

    /// <summary>Makes the next piece show all unconsumed bytes, even without a new one.</summary>
    public void ShowAgain() => _isAgain = _unconsumed > 0;

    /// <summary>Shows the next piece: all unconsumed bytes and at least one new byte.</summary>
    /// <returns>False if there is no new byte.</returns>
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

    /// <summary>Drops consumed bytes from the front of the piece shown.</summary>
    /// <returns>False, with nothing changed, if the count is out of range or leaves too many bytes.</returns>
    public bool TryConsume(int count)
    {
        if ((uint)count > (uint)_shown || _shown - count > Link.MaxUnconsumedBytes) return false;
        _rest = _rest.Slice(count);
        _shown = _unconsumed = _shown - count;
        return true;
    }

    /// <summary>Returns the array; the piece shown becomes invalid.</summary>
    public void Release()
    {
        if (_copy is { } copy) BufferPool.Return(copy);
        _copy = null;
    }
}
