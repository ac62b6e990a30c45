using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Mux.Buffers;

namespace Mux.Serialization.Raw;

/// <summary>
/// Sends bytes unchanged: <see cref="PooledBytes"/>, any other <see cref="IMemoryOwner{T}"/>, <see cref="ReadOnlyMemory{T}"/>,
/// <see cref="ReadOnlySequence{T}"/> and arrays of bytes. The two sides may declare different ones of these types.
/// </summary>
/// <remarks>
/// <para>Sending: <see cref="PooledBytes"/> are sent without a copy. Other types are copied once into the memory that is sent, because their owner may change
/// them as soon as the call has begun. Any other <see cref="IMemoryOwner{T}"/> is given away like <see cref="PooledBytes"/>: all of its memory is sent, and it
/// is disposed.</para>
/// <para>Receiving: messages of up to 16 KiB are copied into new memory. Larger ones arrive in an array of their own, which is passed on:
/// <see cref="PooledBytes"/> and <see cref="IMemoryOwner{T}"/> own it until they are disposed, <see cref="ReadOnlyMemory{T}"/> and
/// <see cref="ReadOnlySequence{T}"/> keep it. An array of bytes is that array if it has exactly the length of the message, otherwise a copy.</para>
/// <para>Any bytes are a valid message; no bytes are a message of length 0. <see cref="MuxChoicesAttribute.MaxMessageBytes"/> and the limits of both sides
/// bound the length. Safe for concurrent use; no other code may use a value while it is sent.</para>
/// </remarks>
[PayloadFormat("raw", typeof(byte[]), typeof(ReadOnlyMemory<byte>), typeof(ReadOnlySequence<byte>), typeof(IMemoryOwner<byte>))]
public sealed class RawSerializer : IPayloadSerializer
{
    private RawSerializer()
    {
    }

    /// <inheritdoc/>
    public static void Write<T>(ref MessageWriter writer, T value)
    {
        if (value is PooledBytes pooled) pooled.MoveTo(ref writer);
        else if (typeof(T) == typeof(byte[])) writer.Write((byte[])(object)value!);
        else if (typeof(T) == typeof(ReadOnlyMemory<byte>)) writer.Write(((ReadOnlyMemory<byte>)(object)value!).Span);
        else if (typeof(T) == typeof(ReadOnlySequence<byte>)) Write(ref writer, (ReadOnlySequence<byte>)(object)value!);
        else if (value is IMemoryOwner<byte> owner) Write(ref writer, owner);
        else throw Unsupported(typeof(T));
    }

    /// <inheritdoc/>
    public static T Read<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(ReadOnlySpan<byte> body)
    {
        if (typeof(T) == typeof(PooledBytes) || typeof(T) == typeof(IMemoryOwner<byte>)) return (T)(object)PooledBytes.Receive(body);
        if (typeof(T) == typeof(ReadOnlyMemory<byte>)) return (T)(object)Keep(body);
        if (typeof(T) == typeof(ReadOnlySequence<byte>)) return (T)(object)new ReadOnlySequence<byte>(Keep(body));
        if (typeof(T) == typeof(byte[])) return (T)(object)KeepArray(body);
        throw Unsupported(typeof(T));
    }

    /// <inheritdoc/>
    public static void Prepare<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>()
    {
        bool isSent = typeof(T) == typeof(PooledBytes) || typeof(T) == typeof(IMemoryOwner<byte>) || typeof(T) == typeof(byte[])
            || typeof(T) == typeof(ReadOnlyMemory<byte>) || typeof(T) == typeof(ReadOnlySequence<byte>);
        if (!isSent) throw Unsupported(typeof(T));
    }

    private static void Write(ref MessageWriter writer, ReadOnlySequence<byte> sequence)
    {
        writer.GetSpan(checked((int)sequence.Length)); // grows once, and not for each segment
        foreach (var segment in sequence) writer.Write(segment.Span);
    }

    private static void Write(ref MessageWriter writer, IMemoryOwner<byte> owner)
    {
        using (owner) writer.Write(owner.Memory.Span);
    }

    private static ReadOnlyMemory<byte> Keep(ReadOnlySpan<byte> body) =>
        ReceivedArray.TryTake(body, out var array) ? array.AsMemory(0, body.Length) : OwnedBytes.CopyOf(body);

    private static byte[] KeepArray(ReadOnlySpan<byte> body)
    {
        if (!ReceivedArray.TryTake(body, out var array)) return OwnedBytes.CopyOf(body);
        if (array.Length == body.Length) return array;
        var copy = OwnedBytes.CopyOf(body);
        MessageMemory.Pool.Return(array);
        return copy;
    }

    private static NotSupportedException Unsupported(Type type) =>
        new($"RawSerializer does not support {type}: use PooledBytes, IMemoryOwner<byte>, ReadOnlyMemory<byte>, ReadOnlySequence<byte> or byte[].");
}
