using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Serialization;

/// <summary>
/// Where an encoder writes one message: a span that is replaced by a larger one when it is full. Lives on the stack of one thread.
/// </summary>
/// <remarks>Spans returned by <see cref="GetSpan"/> and <see cref="Written"/> are valid until the next call of <see cref="GetSpan"/>.</remarks>
public ref struct MessageWriter
{
    private readonly MessageBuffer _overflow;
    private Span<byte> _span;
    private int _count;

    /// <summary>How many messages are open around what is written next, the outermost not counted.</summary>
    internal int Depth;

    /// <summary>
    /// Starts to write into <paramref name="target"/>; what does not fit moves to <paramref name="overflow"/> with all that was written before.
    /// </summary>
    /// <param name="target">May be empty, and may be memory of <paramref name="overflow"/>.</param>
    /// <param name="overflow">Owned by the caller for as long as this writer and its spans are used.</param>
    public MessageWriter(Span<byte> target, MessageBuffer overflow)
    {
        _span = target;
        _overflow = overflow;
    }

    /// <summary>Bytes written so far.</summary>
    public readonly int Count => _count;

    /// <summary>What was written so far; may be changed in place, for example to patch a length.</summary>
    public readonly Span<byte> Written => _span[.._count];

    /// <summary>Memory for the next bytes, at least <paramref name="size"/> long.</summary>
    /// <exception cref="InvalidOperationException">The message is larger than an array can be.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> GetSpan(int size)
    {
        if (Room < size) Grow(size);
        return _span[_count..];
    }

    /// <summary>Bytes that fit without growing.</summary>
    internal readonly int Room => _span.Length - _count;

    /// <summary>Where the next byte goes. Nothing is checked when it is written: see <see cref="Room"/>.</summary>
    internal readonly ref byte Next => ref Unsafe.Add(ref MemoryMarshal.GetReference(_span), _count);

    /// <summary>Bytes from the start of the message to a place in it.</summary>
    internal readonly int OffsetOf(ref readonly byte place) => (int)Unsafe.ByteOffset(in MemoryMarshal.GetReference(_span), in place);

    /// <summary>The byte at such a place, which was reserved before. Nothing is checked.</summary>
    internal readonly ref byte At(int offset) => ref Unsafe.Add(ref MemoryMarshal.GetReference(_span), offset);

    /// <summary>Memory for the next <paramref name="size"/> bytes. They are not checked again when they are written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte Reserve(int size)
    {
        if (Room < size) Grow(size);
        return ref Next;
    }

    /// <summary>Says that <paramref name="count"/> bytes of the last span were written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int count)
    {
        Debug.Assert((uint)count <= (uint)(_span.Length - _count));
        _count += count;
    }

    /// <summary>Says that everything before <paramref name="next"/> was written, which lies in the reserved memory.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void AdvanceTo(ref readonly byte next)
    {
        int count = (int)Unsafe.ByteOffset(in MemoryMarshal.GetReference(_span), in next);
        Debug.Assert(count >= _count && count <= _span.Length);
        _count = count;
    }

    /// <summary>Writes bytes as they are.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(GetSpan(bytes.Length));
        _count += bytes.Length;
    }

    /// <summary>Makes an array what was written, without a copy. It is this writer's from now on.</summary>
    /// <param name="array">From the shared array pool; the message begins behind <see cref="MessageBuffer.HeadRoom"/>.</param>
    /// <param name="length">Bytes of the message.</param>
    /// <returns>False, and the array is still the caller's, if something was written before.</returns>
    internal bool TryAdopt(byte[] array, int length)
    {
        Debug.Assert(array.Length - MessageBuffer.HeadRoom >= length);
        if (_count > 0) return false;
        _span = _overflow.Adopt(array);
        _count = length;
        return true;
    }

    /// <summary>Takes back what was written after the first <paramref name="count"/> bytes.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative or above <see cref="Count"/>.</exception>
    public void Rewind(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)_count, nameof(count));
        _count = count;
        Depth = 0; // what failed may have stood deep inside
    }

    private void Grow(int size) => _span = Grow(_overflow, _span, _count, size);

    // Not given the writer, whose fields can then stay in registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Span<byte> Grow(MessageBuffer overflow, ReadOnlySpan<byte> span, int count, int size)
    {
        long needed = (long)count + size;
        if (needed > Array.MaxLength) throw new InvalidOperationException($"A message of {needed} bytes does not fit into an array.");
        int doubled = (int)Math.Min(Math.Max(needed, 2L * span.Length), Array.MaxLength);
        return overflow.Grow(span[..count], doubled);
    }
}
