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
    private static MessageBuffer? t_ofThread;

    private readonly byte[] _retained;
    private byte[]? _rented;
    private bool _isInUse;

    /// <summary>Creates a buffer that keeps nothing between messages: for an owner that writes into memory of its own and needs this only for what outgrows it.</summary>
    public MessageBuffer()
        : this([])
    {
    }

    private MessageBuffer(byte[] retained) => _retained = retained;

    /// <summary>Takes this thread's buffer, or a new one if it is in use: an encoder may call user code, which may encode.</summary>
    public static MessageBuffer Rent()
    {
        if (t_ofThread is not { _isInUse: false } buffer) buffer = t_ofThread = new MessageBuffer(GC.AllocateUninitializedArray<byte>(RetainedSize));
        buffer._isInUse = true;
        return buffer;
    }

    /// <summary>Gives a buffer of <see cref="Rent"/> back, on the thread that took it. Spans taken from it are no longer valid.</summary>
    public void Return()
    {
        Release();
        _isInUse = false;
    }

    /// <summary>Lets go of what the last message needed beyond <see cref="RetainedSize"/>. Spans taken from the buffer are no longer valid.</summary>
    public void Release()
    {
        if (_rented is not { } rented) return;
        _rented = null;
        ArrayPool<byte>.Shared.Return(rented);
    }

    /// <summary>A writer at the start of this buffer.</summary>
    public MessageWriter CreateWriter() => new(_retained, this);

    /// <summary>Memory for at least <paramref name="size"/> bytes that begins with a copy of <paramref name="written"/>.</summary>
    internal Span<byte> Grow(ReadOnlySpan<byte> written, int size)
    {
        Debug.Assert(size >= written.Length);
        if (_rented is null && size <= _retained.Length && !written.Overlaps(_retained))
        {
            written.CopyTo(_retained); // the writer started in memory of its caller and comes here for the first time
            return _retained;
        }

        var larger = ArrayPool<byte>.Shared.Rent(size);
        written.CopyTo(larger);
        Release();
        _rented = larger;
        return larger;
    }
}
