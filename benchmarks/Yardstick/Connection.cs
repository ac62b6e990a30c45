using System.Buffers.Binary;
using System.Net.Sockets;

namespace Yardstick;

/// <summary>
/// One TCP connection. Its loop's thread receives, handles all whole frames of what came, and sends what that made in one go; other threads may append and send as
/// well. A frame is length u32, id u32, a word that stands for the method, body.
/// </summary>
internal abstract class Connection(Socket socket, int bufferSize)
{
    protected const int HeaderLength = 12;

    private readonly byte[] _received = GC.AllocateUninitializedArray<byte>(1 << 17, pinned: true);
    private int _start, _end; // what of the received bytes is not handled yet

    // Guarded by Gate. One is filled while the other is sent.
    private byte[] _filling = GC.AllocateUninitializedArray<byte>(bufferSize, pinned: true);
    private byte[] _sending = GC.AllocateUninitializedArray<byte>(bufferSize, pinned: true);
    private int _filled;
    private bool _isSending;

    public Socket Socket { get; } = socket;

    public int Handle { get; } = (int)socket.Handle;

    protected Lock Gate { get; } = new();

    /// <summary>Receives once. Called by the loop's thread.</summary>
    /// <returns>False at the end of the stream.</returns>
    public bool TakeTurn()
    {
        int count = Libc.Receive(Handle, _received.AsSpan(_end));
        if (count <= 0) return count == -Libc.TryAgain;
        _end += count;
        HandleFrames();
        Flush();
        return true;
    }

    /// <summary>Sends what was appended, unless someone does already: then it goes with their next round.</summary>
    protected void Flush()
    {
        while (TryBeginRound(out int count))
        {
            int sent = 0;
            while (sent < count)
            {
                int taken = Libc.Send(Handle, _sending.AsSpan(sent, count - sent));
                if (taken >= 0) sent += taken;
                else if (taken == -Libc.TryAgain) Thread.Yield();
                else throw new IOException($"Send failed with error {-taken}.");
            }

            lock (Gate) _isSending = false;
        }
    }

    /// <summary>The caller holds the lock, or is the only one who appends.</summary>
    protected void Append(uint id, ReadOnlySpan<byte> body)
    {
        var frame = _filling.AsSpan(_filled);
        BinaryPrimitives.WriteInt32LittleEndian(frame, body.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(frame[4..], id);
        body.CopyTo(frame[HeaderLength..]);
        _filled += HeaderLength + body.Length;
    }

    protected abstract void OnFrame(uint id, ReadOnlySpan<byte> body);

    private bool TryBeginRound(out int count)
    {
        lock (Gate)
        {
            count = _filled;
            if (_isSending || count == 0) return false;
            _isSending = true;
            _filled = 0;
            (_filling, _sending) = (_sending, _filling);
            return true;
        }
    }

    private void HandleFrames()
    {
        var rest = _received.AsSpan(_start, _end - _start);
        while (rest.Length >= HeaderLength)
        {
            int length = HeaderLength + BinaryPrimitives.ReadInt32LittleEndian(rest);
            if (rest.Length < length) break;
            OnFrame(BinaryPrimitives.ReadUInt32LittleEndian(rest[4..]), rest[HeaderLength..length]);
            rest = rest[length..];
        }

        _start = _end - rest.Length;
        if (_start > _received.Length / 2 || rest.IsEmpty)
        {
            rest.CopyTo(_received);
            (_start, _end) = (0, rest.Length);
        }
    }
}
