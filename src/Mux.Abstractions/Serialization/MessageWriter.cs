using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Serialization;

/// <summary>
/// Destination of an encoder for one message: a span that is replaced by a larger one when it is full. Lives on the stack of one thread.
/// </summary>
/// <remarks>Spans returned by <see cref="GetSpan"/> and <see cref="Written"/> are valid until the next call of <see cref="GetSpan"/>.</remarks>
public ref struct MessageWriter
{
    private readonly MessageBuffer _overflow;
    private Span<byte> _span;
    private int _count;

    /// <summary>Number of messages around the next bytes, not counting the outermost one.</summary>
    internal int Depth;

    /// <summary>
    /// Starts to write into <paramref name="target"/>. When it is full, all bytes move to <paramref name="overflow"/>.
    /// </summary>
    /// <param name="target">May be empty, and may be memory of <paramref name="overflow"/>.</param>
    /// <param name="overflow">Owned by the caller while this writer and its spans are used.</param>
    public MessageWriter(Span<byte> target, MessageBuffer overflow)
    {
        _span = target;
        _overflow = overflow;
    }

    /// <summary>Gets the number of bytes written so far.</summary>
    public readonly int Count => _count;

    /// <summary>Gets the bytes written so far; they may be changed in place, for example to patch a length.</summary>
    public readonly Span<byte> Written => _span[.._count];

    /// <summary>Gets memory for the next bytes, at least <paramref name="size"/> long.</summary>
    /// <exception cref="InvalidOperationException">The message exceeds the maximum length of an array.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> GetSpan(int size)
    {
        if (Room < size) Grow(size);
        return _span[_count..];
    }

    /// <summary>Number of bytes that fit without growing.</summary>
    internal readonly int Room => _span.Length - _count;

    /// <summary>The place of the next byte. Writing to it is not checked: see <see cref="Room"/>.</summary>
    internal readonly ref byte Next => ref Unsafe.Add(ref MemoryMarshal.GetReference(_span), _count);

    /// <summary>Gets the number of bytes from the start of the message to a place in it.</summary>
    internal readonly int OffsetOf(ref readonly byte place) => (int)Unsafe.ByteOffset(in MemoryMarshal.GetReference(_span), in place);

    /// <summary>Gets the byte at such a place, which must have been reserved. Not checked.</summary>
    internal readonly ref byte At(int offset) => ref Unsafe.Add(ref MemoryMarshal.GetReference(_span), offset);

    /// <summary>Reserves memory for the next <paramref name="size"/> bytes. Writing them is not checked again.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte Reserve(int size)
    {
        if (Room < size) Grow(size);
        return ref Next;
    }

    /// <summary>Counts <paramref name="count"/> bytes of the last span as written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int count)
    {
        Debug.Assert((uint)count <= (uint)(_span.Length - _count));
        _count += count;
    }

    /// <summary>Counts all bytes before <paramref name="next"/>, a place in the reserved memory, as written.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void AdvanceTo(ref readonly byte next)
    {
        int count = (int)Unsafe.ByteOffset(in MemoryMarshal.GetReference(_span), in next);
        Debug.Assert(count >= _count && count <= _span.Length);
        _count = count;
    }

    /// <summary>Writes bytes unchanged.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(GetSpan(bytes.Length));
        _count += bytes.Length;
    }

    /// <summary>Uses an array as the written bytes, without a copy. The writer owns the array from now on.</summary>
    /// <param name="array">An array of the shared pool; the message is at its start.</param>
    /// <param name="length">Number of bytes of the message.</param>
    /// <returns>False if bytes were written before; the caller then still owns the array.</returns>
    internal bool TryAdopt(byte[] array, int length)
    {
        Debug.Assert(array.Length >= length);
        if (_count > 0) return false;
        _span = _overflow.Adopt(array);
        _count = length;
        return true;
    }

    /// <summary>Removes all bytes after the first <paramref name="count"/> bytes.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative or above <see cref="Count"/>.</exception>
    public void Rewind(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)_count, nameof(count));
        _count = count;
        Depth = 0; // the removed part may have been inside nested messages
    }

    private void Grow(int size) => _span = Grow(_overflow, _span, _count, size);

    // Takes no reference to the writer, so that its fields can stay in registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Span<byte> Grow(MessageBuffer overflow, ReadOnlySpan<byte> span, int count, int size)
    {
        long needed = (long)count + size;
        if (needed > Array.MaxLength) throw new InvalidOperationException($"A message of {needed} bytes does not fit into an array.");
        int doubled = (int)Math.Min(Math.Max(needed, 2L * span.Length), Array.MaxLength);
        return overflow.Grow(span[..count], doubled);
    }
}
