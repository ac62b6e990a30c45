using System.Buffers;
using System.IO.Pipelines;

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
