using System.IO.Pipes;
using System.Net.Security;
using System.Net.Sockets;

namespace Mux.Transports.Streams;

/// <summary>Receives from a <see cref="Stream"/>: waits with an empty read, so that an idle link holds no buffer where the stream knows what that means, and takes with a real one.</summary>
/// <param name="stream">Where from.</param>
/// <param name="isOneWay">Whether nothing is sent to it, so that it knows nothing of the other direction.</param>
/// <param name="socket">What it reads, or null if it reads none, or nobody knows.</param>
internal sealed class StreamInput(Stream stream, bool isOneWay, Socket? socket) : ByteInput
{
    private readonly ReceiveBuffer _buffer = new();
    private PendingResult<int> _read;
    private bool _isReading; // else it waits with an empty read
    private bool _hasNew;

    public override bool FindsBreak => !isOneWay && stream is (NetworkStream or SslStream or PipeStream);

    public override bool HasWaiting
    {
        get
        {
            try
            {
                return socket is { Available: > 0 };
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException)
            {
                return false;
            }
        }
    }

    public override bool Begin()
    {
        _isReading = false;
        _read.Begin(stream.ReadAsync(Memory<byte>.Empty));
        if (_read.IsCompleted) return true;
        _buffer.Park();
        return false;
    }

    public override void OnCompleted(Action continuation) => _read.OnCompleted(continuation);

    public override bool TryTake()
    {
        if (!_isReading)
        {
            _read.End();
            _isReading = true;
            _read.Begin(stream.ReadAsync(_buffer.RoomMemory()));
            if (!_read.IsCompleted) return false; // the stream takes an empty read for nothing
        }

        int count = _read.End();
        _isReading = false;
        IsAtEnd = count == 0;
        _hasNew = count > 0;
        if (_hasNew) _buffer.Arrived(count);
        return true;
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
}
