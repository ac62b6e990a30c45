using System.Buffers;
using Mux.Buffers;

namespace Mux.Serialization;

/// <summary>
/// Memory of one thread for one message at a time, for serializers that write into an <see cref="IBufferWriter{T}"/>. A <see cref="MessageWriter"/> on the
/// stack cannot be one. <see cref="MoveTo"/> moves the bytes to the message, large ones without a copy.
/// </summary>
/// <remarks>
/// Use it between <see cref="Rent"/> and <see cref="Return"/>, on the thread that rented it. Memory taken from it is valid until more is requested.
/// </remarks>
public sealed class PayloadBuffer : IBufferWriter<byte>
{
    /// <summary>Bytes kept between messages: enough for most messages of one frame.</summary>
    private const int RetainedSize = 32 * 1024;

    private const int LeastSpan = 256;

    [ThreadStatic]
    private static PayloadBuffer? t_ofThread;

    private byte[] _array = [];
    private int _end;
    private bool _isInUse;

    private PayloadBuffer()
    {
    }

    /// <summary>Gets the number of bytes written so far.</summary>
    public int WrittenCount => _end;

    /// <summary>Gets this thread's buffer, or a new one if it is in use: a message may run user code that makes calls.</summary>
    public static PayloadBuffer Rent()
    {
        if (t_ofThread is not { _isInUse: false } buffer) buffer = t_ofThread = new PayloadBuffer();
        buffer._isInUse = true;
        return buffer;
    }

    /// <summary>Moves all written bytes to a message. Call it once, and write nothing afterwards.</summary>
    public void MoveTo(ref MessageWriter writer)
    {
        if (WrittenCount > RetainedSize / 2 && writer.TryAdopt(_array, WrittenCount)) _array = [];
        else writer.Write(_array.AsSpan(0, WrittenCount));
        _end = 0;
    }

    /// <summary>Returns the buffer, and drops bytes that were not moved.</summary>
    public void Return()
    {
        _end = 0;
        if (_array.Length > RetainedSize)
        {
            MessageMemory.Pool.Return(_array);
            _array = [];
        }

        _isInUse = false;
    }

    /// <inheritdoc/>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative, or exceeds the requested memory.</exception>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)Math.Max(0, _array.Length - _end), nameof(count));
        _end += count;
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The message exceeds the maximum length of an array.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _array.AsMemory(_end);
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The message exceeds the maximum length of an array.</exception>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _array.AsSpan(_end);
    }

    private void Reserve(int size)
    {
        size = Math.Max(size, LeastSpan);
        if (_array.Length - _end >= size) return;
        long needed = (long)_end + size;
        if (needed > Array.MaxLength) throw new InvalidOperationException($"A message of {needed} bytes does not fit into an array.");
        var larger = MessageMemory.Pool.Rent((int)Math.Clamp(2L * _array.Length, Math.Max(needed, RetainedSize), Array.MaxLength));
        if (_array.Length > 0)
        {
            _array.AsSpan(0, _end).CopyTo(larger);
            MessageMemory.Pool.Return(_array);
        }

        _array = larger;
    }
}
