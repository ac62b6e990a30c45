using System.IO.Pipes;
using System.Net.Security;
using System.Net.Sockets;

namespace Mux.Runtime;

/// <summary>
/// Receives from a <see cref="Stream"/>. Waits with an empty read, so that an idle link holds no buffer if the stream supports that, then reads into a buffer.
/// </summary>
/// <remarks>
/// A stream of messages or records returns one per read. All that have arrived are taken together, because they are answered together: otherwise two peers that
/// once sent small records would continue with small ones for ever.
/// </remarks>
/// <param name="stream">The stream to read from.</param>
/// <param name="isOneWay">True if nothing is sent to the stream, so that it knows nothing of the other direction.</param>
/// <param name="hasWaiting">Thread-safe test for waiting bytes; null if unknown.</param>
internal sealed class StreamInput(Stream stream, bool isOneWay, Func<bool>? hasWaiting) : ByteInput
{
    // As many records as take TLS 100 to 200 us, so that a peer with tiny records gets no longer turn than others.
    private const int MostReads = 64;

    // On a socket or a pipe, a read that leaves room has taken everything.
    private readonly bool _givesPieces = stream is not (NetworkStream or PipeStream or FileStream);
    private readonly ReceiveBuffer _buffer = new();
    private PendingResult<int> _read;
    private Step _step;
    private bool _hasNew;

    private enum Step
    {
        Idle,
        Waiting, // with an empty read
        Reading, // into the buffer, which must not move meanwhile
    }

    public override bool FindsBreak => !isOneWay && stream is (NetworkStream or SslStream or PipeStream);

    public override bool HasWaiting => hasWaiting?.Invoke() == true;

    public override bool IsPending => _step != Step.Idle && !_read.IsCompleted;

    public override bool Begin()
    {
        if (_step == Step.Idle) Wait();
        if (_read.IsCompleted) return true;
        if (_step == Step.Waiting) _buffer.Park();
        return false;
    }

    public override void OnCompleted(Action continuation) => _read.OnCompleted(continuation);

    public override bool TryTake()
    {
        int reads = 0;
        while (TryRead(mayFail: reads == 0))
        {
            if (IsAtEnd || ++reads == MostReads || !_givesPieces || !_buffer.HasRoom) return true;
            Wait();
        }

        return reads > 0;
    }

    public override bool TryShow(out ReadOnlySpan<byte> bytes)
    {
        bytes = _hasNew ? _buffer.Arrived(0) : default;
        bool hadNew = _hasNew;
        _hasNew = false;
        return hadNew;
    }

    public override bool TryConsume(int count) => _buffer.TryConsume(count);

    public override void ShowAgain() => _hasNew = _buffer.Unconsumed > 0;

    public override bool TryCancel() => false; // the end of the link disposes the stream, and with it the read

    public override void Release()
    {
        _read.Discard();
        _buffer.Release();
    }

    private void Wait()
    {
        _step = Step.Waiting;
        BeginRead(Memory<byte>.Empty);
    }

    private void BeginRead(Memory<byte> room)
    {
        try
        {
            _read.Begin(stream.ReadAsync(room));
        }
        catch (Exception e)
        {
            _read.Begin(ValueTask.FromException<int>(e));
        }
    }

    /// <summary>Ends the wait and the read after it, as far as they have completed.</summary>
    /// <param name="mayFail">If false, a failure is kept for the next call, after the bytes taken before it.</param>
    /// <returns>False if they have not completed.</returns>
    private bool TryRead(bool mayFail)
    {
        if (!_read.IsCompleted || !(mayFail || _read.IsSuccess)) return false;
        if (_step == Step.Waiting)
        {
            _read.End();
            _step = Step.Reading;
            BeginRead(_buffer.RoomMemory());
            if (!_read.IsCompleted || !(mayFail || _read.IsSuccess)) return false; // the stream ignores empty reads, or holds only a part of a message
        }

        _step = Step.Idle;
        int count = _read.End();
        IsAtEnd = count == 0;
        if (count == 0) return true;
        _buffer.Arrived(count);
        _hasNew = true;
        return true;
    }
}
