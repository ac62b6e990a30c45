using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Mux.Buffers;

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

    /// <summary>Bytes before what is written that <see cref="TryDetach"/> hands over too: for the header of a frame.</summary>
    public const int HeadRoom = 8;

    private byte[] _retained;
    private byte[]? _rented;
    private bool _isInUse;

    /// <summary>
    /// Creates a buffer that keeps nothing between messages: for an owner that writes into memory of its own and needs this only for what outgrows it.
    /// </summary>
    public MessageBuffer()
        : this([])
    {
    }

    private MessageBuffer(byte[] retained) => _retained = retained;

    /// <summary>Takes this thread's buffer, or a new one if it is in use: an encoder may call user code, which may encode.</summary>
    public static MessageBuffer Rent()
    {
        if (t_ofThread is not { _isInUse: false } buffer) buffer = t_ofThread = new MessageBuffer(MessageMemory.Pool.Rent(RetainedSize));
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
        MessageMemory.Pool.Return(rented);
    }

    /// <summary>A writer at the start of this buffer.</summary>
    public MessageWriter CreateWriter() => new(_retained.AsSpan(HeadRoom), this);

    /// <summary>
    /// Gives away the array in which a large message stands, so that it is sent from there and not copied. A message that takes less than a quarter of its
    /// array is not given away: what waits to be sent holds memory in proportion to its length.
    /// </summary>
    /// <param name="message">What was written here.</param>
    /// <param name="array">From <see cref="MessageMemory.Pool"/>, and the caller's to return; the message begins after <see cref="HeadRoom"/>.</param>
    /// <returns>False if the message is too small, or does not stand in this buffer's memory.</returns>
    public bool TryDetach(ReadOnlySpan<byte> message, [NotNullWhen(true)] out byte[]? array)
    {
        array = null;
        if (IsWhole(message, _rented))
        {
            array = _rented!;
            _rented = null;
            return true;
        }

        if (!IsWhole(message, _retained)) return false;
        array = _retained;
        _retained = MessageMemory.Pool.Rent(RetainedSize);
        return true;
    }

    private static bool IsWhole(ReadOnlySpan<byte> message, byte[]? array) =>
        array is not null && array.Length > HeadRoom && message.Length >= array.Length / 4
            && Unsafe.AreSame(in MemoryMarshal.GetReference(message), in array[HeadRoom]);

    /// <summary>
    /// Takes over an array of <see cref="MessageMemory.Pool"/> in which a message stands behind <see cref="HeadRoom"/>, instead of what it has beyond
    /// <see cref="RetainedSize"/>.
    /// </summary>
    internal Span<byte> Adopt(byte[] array)
    {
        Release();
        _rented = array;
        return array.AsSpan(HeadRoom);
    }

    /// <summary>Memory for at least <paramref name="size"/> bytes that begins with a copy of <paramref name="written"/>.</summary>
    internal Span<byte> Grow(ReadOnlySpan<byte> written, int size)
    {
        Debug.Assert(size >= written.Length);
        if (_rented is null && size <= _retained.Length - HeadRoom && !written.Overlaps(_retained))
        {
            var retained = _retained.AsSpan(HeadRoom); // the writer started in memory of its caller and comes here for the first time
            written.CopyTo(retained);
            return retained;
        }

        var larger = MessageMemory.Pool.Rent((int)Math.Min((long)size + HeadRoom, Array.MaxLength));
        if (larger.Length - HeadRoom < size) throw new InvalidOperationException($"A message of {size} bytes does not fit into an array.");
        written.CopyTo(larger.AsSpan(HeadRoom));
        Release();
        _rented = larger;
        return larger.AsSpan(HeadRoom);
    }
}
