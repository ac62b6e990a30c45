using System.Buffers;
using Mux.Buffers;

namespace Mux.Serialization.Raw;

/// <summary>
/// Bytes in an array of the shared pool, with one owner at a time. As an argument, result or item with <see cref="RawSerializer"/>, they are sent without a
/// copy, and large ones are received without a copy.
/// </summary>
/// <remarks>
/// <para>Sending gives the object away: a caller that passes it to a call, and a handler that returns or yields it, can no longer use it once the message is
/// encoded, and its members throw. A call that fails before that, because its token was already cancelled, leaves the object unchanged. So <c>using</c> around
/// the call is always correct.</para>
/// <para>The receiver disposes it when nothing uses <see cref="Memory"/> any longer. If it is never disposed, its array is garbage collected and missing from
/// the pool.</para>
/// <para>One thread at a time may use it. <see cref="Dispose"/> may be called repeatedly, on any thread.</para>
/// </remarks>
public sealed class PooledBytes : IMemoryOwner<byte>
{
    private byte[]? _array; // null after it was disposed or given away

    private PooledBytes(byte[] array, int length)
    {
        _array = array;
        Length = length;
    }

    /// <summary>Gets the number of bytes, even after they were disposed or given away.</summary>
    public int Length { get; private set; }

    /// <summary>Gets the bytes, until they are disposed or given away.</summary>
    /// <exception cref="ObjectDisposedException">They were disposed or given away.</exception>
    public Memory<byte> Memory => new(Array, 0, Length);

    /// <inheritdoc cref="Memory"/>
    public Span<byte> Span => Array.AsSpan(0, Length);

    private byte[] Array
    {
        get
        {
            ObjectDisposedException.ThrowIf(_array is null, this);
            return _array;
        }
    }

    /// <summary>
    /// Gets memory of the given length to fill. It may contain any old data of this process: fill all of it, or <see cref="Trim"/> the rest.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative, or more than an array can hold.</exception>
    public static PooledBytes Rent(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, System.Array.MaxLength);
        return new PooledBytes(MessageMemory.Pool.Rent(length), length);
    }

    /// <summary>Copies bytes into an array of the pool.</summary>
    public static PooledBytes CopyOf(ReadOnlySpan<byte> bytes)
    {
        var copy = Rent(bytes.Length);
        bytes.CopyTo(copy.Span);
        return copy;
    }

    /// <summary>Keeps only the first <paramref name="length"/> bytes. The others are lost.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative or more than <see cref="Length"/>.</exception>
    public void Trim(int length)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)length, (uint)Length, nameof(length));
        Length = length;
    }

    /// <summary>Returns the memory to the pool. Do not use it afterwards.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _array, null) is { } array) MessageMemory.Pool.Return(array);
    }

    /// <summary>Gets received bytes, in the array in which they arrived if possible.</summary>
    internal static PooledBytes Receive(ReadOnlySpan<byte> body) =>
        ReceivedArray.TryTake(body, out var array) ? new PooledBytes(array, body.Length) : CopyOf(body);

    /// <summary>Moves the bytes to a message.</summary>
    /// <exception cref="ObjectDisposedException">They were disposed or given away.</exception>
    internal void MoveTo(ref MessageWriter writer)
    {
        var array = Interlocked.Exchange(ref _array, null);
        ObjectDisposedException.ThrowIf(array is null, this);
        if (writer.TryAdopt(array, Length)) return;
        try
        {
            writer.Write(array.AsSpan(0, Length)); // behind bytes that were written before
        }
        finally
        {
            MessageMemory.Pool.Return(array);
        }
    }
}
