using System.Buffers;
using System.Diagnostics;

namespace Mux.Serialization;

/// <summary>
/// Scratch memory for encoding one message at a time on one thread. It grows as the message does and keeps at most
/// <see cref="RetainedSize"/> afterwards, so that one large message does not hold memory for good.
/// </summary>
public sealed class MessageBuffer
{
    /// <summary>What is kept between messages: a frame of the largest payload and its header fit.</summary>
    public const int RetainedSize = 128 * 1024;

    [ThreadStatic]
    private static MessageBuffer? t_idle;

    private readonly byte[] _retained = GC.AllocateUninitializedArray<byte>(RetainedSize);
    private byte[]? _rented;

    private MessageBuffer()
    {
    }

    /// <summary>Takes this thread's buffer, or a new one if it is in use: an encoder may call user code, which may encode.</summary>
    public static MessageBuffer Rent()
    {
        if (t_idle is not { } buffer) return new MessageBuffer();
        t_idle = null;
        return buffer;
    }

    /// <summary>Gives the buffer back to this thread. Spans taken from it are no longer valid.</summary>
    public void Return()
    {
        if (_rented is { } rented)
        {
            _rented = null;
            ArrayPool<byte>.Shared.Return(rented);
        }

        t_idle = this;
    }

    /// <summary>A writer at the start of this buffer.</summary>
    public MessageWriter CreateWriter() => new(_retained, this);

    /// <summary>Memory for at least <paramref name="size"/> bytes that begins with a copy of <paramref name="written"/>.</summary>
    internal Span<byte> Grow(ReadOnlySpan<byte> written, int size)
    {
        Debug.Assert(size >= written.Length);
        if (_rented is null && size <= RetainedSize && !written.Overlaps(_retained))
        {
            written.CopyTo(_retained); // the writer started in memory of its caller and comes here for the first time
            return _retained;
        }

        var larger = ArrayPool<byte>.Shared.Rent(size);
        written.CopyTo(larger);
        if (_rented is not null) ArrayPool<byte>.Shared.Return(_rented);
        _rented = larger;
        return larger;
    }
}
