using System.Buffers;
using Mux.Buffers;

namespace Mux.Serialization.Raw;

/// <summary>
/// Bytes in an array of the shared pool, with one owner at a time. As an argument, result or item under <see cref="RawSerializer"/> they are sent from where
/// they stand, and large ones are received without a copy.
/// </summary>
/// <remarks>
/// <para>Whoever gives it to a call, returns it from a handler or yields it gives it away: it is empty-handed from the moment the message is encoded, and using
/// it throws. A call that fails before that, because its token was cancelled already, leaves it where it was; so <c>using</c> around the call is always
/// right.</para>
/// <para>Whoever receives it disposes it when nothing looks at <see cref="Memory"/> any more. One that is never disposed is garbage like any array, and the
/// pool has one less.</para>
/// <para>Used by one thread at a time; <see cref="Dispose"/> may be called repeatedly, and by any thread.</para>
/// </remarks>
public sealed class PooledBytes : IMemoryOwner<byte>
{
    private readonly int _start;
    private byte[]? _array; // null once it is disposed or given away

    private PooledBytes(byte[] array, int start, int length)
    {
        _array = array;
        _start = start;
        Length = length;
    }

    /// <summary>How many bytes there are; also when they are disposed or given away.</summary>
    public int Length { get; private set; }

    /// <summary>The bytes, until they are disposed or given away.</summary>
    /// <exception cref="ObjectDisposedException">They are.</exception>
    public Memory<byte> Memory => new(Array, _start, Length);

    /// <inheritdoc cref="Memory"/>
    public Span<byte> Span => Array.AsSpan(_start, Length);

    private byte[] Array
    {
        get
        {
            ObjectDisposedException.ThrowIf(_array is null, this);
            return _array;
        }
    }

    /// <summary>
    /// Memory to be filled, of so many bytes. What it contains before may be anything that this process had in its arrays: fill all of it, or
    /// <see cref="Trim"/> what is not filled.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative, or more than an array can hold.</exception>
    public static PooledBytes Rent(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, System.Array.MaxLength - MessageBuffer.HeadRoom);
        return new PooledBytes(MessageMemory.Pool.Rent(MessageBuffer.HeadRoom + length), MessageBuffer.HeadRoom, length);
    }

    /// <summary>A copy of these bytes, in an array of the pool.</summary>
    /// <exception cref="ArgumentOutOfRangeException">They are more than an array can hold beside the header of a message.</exception>
    public static PooledBytes CopyOf(ReadOnlySpan<byte> bytes)
    {
        var copy = Rent(bytes.Length);
        bytes.CopyTo(copy.Span);
        return copy;
    }

    /// <summary>Keeps the first <paramref name="length"/> bytes only. The rest cannot be had back.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative or more than <see cref="Length"/>.</exception>
    public void Trim(int length)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)length, (uint)Length, nameof(length));
        Length = length;
    }

    /// <summary>Gives the memory back. Nothing may use it from now on.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _array, null) is { } array) MessageMemory.Pool.Return(array);
    }

    /// <summary>Received bytes: in their own array, if it is to be had.</summary>
    internal static PooledBytes Receive(ReadOnlySpan<byte> body) =>
        ReceivedArray.TryTake(body, out var array) ? new PooledBytes(array, 0, body.Length) : CopyOf(body);

    /// <summary>Gives the bytes to a message.</summary>
    /// <exception cref="ObjectDisposedException">They were disposed or given away.</exception>
    internal void MoveTo(ref MessageWriter writer)
    {
        var array = Interlocked.Exchange(ref _array, null);
        ObjectDisposedException.ThrowIf(array is null, this);
        if (_start == MessageBuffer.HeadRoom && writer.TryAdopt(array, Length)) return;
        try
        {
            writer.Write(array.AsSpan(_start, Length)); // what was received has no room for a header in front
        }
        finally
        {
            MessageMemory.Pool.Return(array);
        }
    }
}
