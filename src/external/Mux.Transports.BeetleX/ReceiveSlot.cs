using BeetleX.Buffers;
using PinnedBuffer = BeetleX.Buffers.Buffer;

namespace Mux.Transports.BeetleX;

/// <summary>
/// The one buffer that a link receives into. BeetleX asks for it before each receive, and not before what the last one brought was delivered.
/// </summary>
internal sealed class ReceiveSlot : IBufferPool
{
    private PinnedBuffer? _buffer;

    public int Count => 1;

    public IBuffer Pop()
    {
        _buffer ??= LooseBuffer.Create();
        _buffer.Reset();
        return _buffer;
    }

    public void Push(IBuffer item)
    {
        // Buffers without a pool are not given back.
    }

    public void Dispose()
    {
        // Nothing is owned but memory.
    }
}
