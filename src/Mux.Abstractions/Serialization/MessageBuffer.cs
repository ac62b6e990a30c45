using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Mux.Buffers;

namespace Mux.Serialization;

/// <summary>
/// Scratch memory in which one thread encodes one message at a time. It grows with the message and keeps at most <see cref="RetainedSize"/> afterwards, so that
/// one large message does not hold memory forever.
/// </summary>
public sealed class MessageBuffer
{
    /// <summary>Maximum number of bytes kept between messages: enough for a frame of the largest payload and its header.</summary>
    public const int RetainedSize = 128 * 1024;

    [ThreadStatic]
    private static MessageBuffer? t_ofThread;

    private byte[] _retained;
    private byte[]? _rented;
    private bool _isInUse;

    /// <summary>
    /// Creates a buffer that keeps nothing between messages, for an owner that has its own memory and needs this buffer only for larger messages.
    /// </summary>
    public MessageBuffer()
        : this([])
    {
    }

    private MessageBuffer(byte[] retained) => _retained = retained;

    /// <summary>Gets this thread's buffer, or a new one if it is in use: an encoder may call user code, which may encode.</summary>
    public static MessageBuffer Rent()
    {
        if (t_ofThread is not { _isInUse: false } buffer) buffer = t_ofThread = new MessageBuffer(MessageMemory.Pool.Rent(RetainedSize));
        buffer._isInUse = true;
        return buffer;
    }

    /// <summary>Returns a buffer of <see cref="Rent"/>, on the thread that rented it. Spans taken from it are no longer valid.</summary>
    public void Return()
    {
        Release();
        _isInUse = false;
    }

    /// <summary>Drops memory that the last message needed beyond <see cref="RetainedSize"/>. Spans taken from the buffer are no longer valid.</summary>
    public void Release()
    {
        if (_rented is not { } rented) return;
        _rented = null;
        MessageMemory.Pool.Return(rented);
    }

    /// <summary>Creates a writer at the start of this buffer.</summary>
    public MessageWriter CreateWriter() => new(_retained, this);

    /// <summary>
    /// Hands over the array that contains a large message, so that the message is sent from there without a copy. A message that takes less than a quarter of
    /// its array is not handed over, so that messages that wait to be sent hold memory in proportion to their length.
    /// </summary>
    /// <param name="message">The bytes written here.</param>
    /// <param name="array">An array of <see cref="MessageMemory.Pool"/>, which the caller must return; the message is at its start.</param>
    /// <returns>False if the message is too small, or is not in the memory of this buffer.</returns>
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
        array is { Length: > 0 } && message.Length >= array.Length / 4 && Unsafe.AreSame(in MemoryMarshal.GetReference(message), in array[0]);

    /// <summary>
    /// Takes over an array of <see cref="MessageMemory.Pool"/> that contains a message at its start, in place of the memory beyond
    /// <see cref="RetainedSize"/>.
    /// </summary>
    internal Span<byte> Adopt(byte[] array)
    {
        Release();
        _rented = array;
        return array;
    }

    /// <summary>Gets memory for at least <paramref name="size"/> bytes that begins with a copy of <paramref name="written"/>.</summary>
    internal Span<byte> Grow(ReadOnlySpan<byte> written, int size)
    {
        Debug.Assert(size >= written.Length);
        if (_rented is null && size <= _retained.Length && !written.Overlaps(_retained))
        {
            written.CopyTo(_retained); // the writer began in its caller's memory and gets here for the first time
            return _retained;
        }

        if (size > Array.MaxLength) throw new InvalidOperationException($"A message of {size} bytes does not fit into an array.");
        var larger = MessageMemory.Pool.Rent(size);
        written.CopyTo(larger);
        Release();
        _rented = larger;
        return larger;
    }
}
