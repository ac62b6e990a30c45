using System.IO.Pipes;
using System.Net.Security;
using System.Net.Sockets;

namespace Mux.Transports.Streams;

/// <summary>
/// Receives from a <see cref="Stream"/>: waits with an empty read, so that an idle link holds no buffer where the stream knows what that means, and takes with
/// real ones. A stream of messages or records gives one at a time; all that have come are taken together, because what is taken together is answered together:
/// else two peers that once sent small ones would go on so for ever.
/// </summary>
/// <param name="stream">Where from.</param>
/// <param name="isOneWay">Whether nothing is sent to it, so that it knows nothing of the other direction.</param>
/// <param name="hasWaiting">Whether bytes wait for it, from any thread; null if nobody can tell.</param>
internal sealed class StreamInput(Stream stream, bool isOneWay, Func<bool>? hasWaiting) : ByteInput
{
    // As many records as 100 to 200 us of work for TLS, so that a peer of tiny ones gets no longer turn than others.
    private const int MostReads = 64;

    // Of a socket or a pipe, a read that leaves room has taken all there was.
    private readonly bool _givesPieces = stream is not (NetworkStream or PipeStream or FileStream);
    private readonly ReceiveBuffer _buffer = new();
    private PendingResult<int> _read;
    private Step _step;
    private bool _hasNew;

    private enum Step
    {
        Idle,
        Waiting, // with an empty read
        Reading, // into the room of the buffer, which stays where it is meanwhile
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

    public override bool TryCancel() => false; // the end disposes the stream, and with it the read

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

    /// <summary>Ends the wait and the read behind it, as far as they are over.</summary>
    /// <param name="mayFail">Otherwise a failure stays for the next time, behind the bytes that were taken before it.</param>
    /// <returns>False if they are not.</returns>
    private bool TryRead(bool mayFail)
    {
        if (!_read.IsCompleted || !(mayFail || _read.IsSuccess)) return false;
        if (_step == Step.Waiting)
        {
            _read.End();
            _step = Step.Reading;
            BeginRead(_buffer.RoomMemory());
            if (!_read.IsCompleted || !(mayFail || _read.IsSuccess)) return false; // the stream takes an empty read for nothing, or has a part of a message
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
