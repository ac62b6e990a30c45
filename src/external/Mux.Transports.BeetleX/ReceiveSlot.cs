using BeetleX.Buffers;
using PinnedBuffer = BeetleX.Buffers.Buffer;

namespace Mux.Transports.BeetleX;

/// <summary>
/// The one receive buffer of a link. BeetleX asks for it before each receive, and only after the bytes of the last one were delivered.
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
        // buffers without a pool are not returned
    }

    public void Dispose()
    {
        // it only holds memory
    }
}
