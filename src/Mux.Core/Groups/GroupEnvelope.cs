using System.Buffers.Binary;
using System.Text;
using Mux.Contracts;
using Mux.Wire;

namespace Mux.Groups;

/// <summary>
/// A call of a group on its way between servers: <c>MXG2</c>, the origin (8 bytes), a hash of all that follows (8), the timeout in microseconds (8; -1 for
/// that of the method), the priority (1; 0 for none, otherwise one more), whether it is idempotent (1; 0 not said, 1 no, 2 yes), the lengths of the
/// method's name and of the metadata (2 each), that of the ids of peers that do not get it (4), name, metadata, ids (each a byte with its length, and UTF-8)
/// and request. Little-endian. The hash finds foreign bytes; it protects from no attacker.
/// </summary>
/// <param name="Method">The full name of the method.</param>
/// <param name="Options">Options of the call; null if there are none.</param>
/// <param name="Except">The ids of the peers that do not get it; null if all do.</param>
/// <param name="Body">The request.</param>
internal readonly record struct GroupEnvelope(string Method, MuxCallOptions? Options, GroupExcept? Except, ReadOnlyMemory<byte> Body)
{
    private const int OriginAt = 4, HashAt = 12, TimeoutAt = 20, PriorityAt = 28, IdempotentAt = 29, NameLengthAt = 30, MetadataLengthAt = 32;
    private const int ExceptLengthAt = 34, HeaderLength = 38;

    /// <summary>The longest time that a message can have, which stands for no limit.</summary>
    private const long Unlimited = long.MaxValue / TimeSpan.TicksPerMicrosecond;

    private static ReadOnlySpan<byte> Magic => "MXG2"u8;

    /// <summary>Makes a message. The metadata is no more than a peer may accept.</summary>
    public static byte[] Create(ulong origin, MethodDescriptor method, MuxCallOptions? options, GroupExcept? except, ReadOnlySpan<byte> body)
    {
        byte[] ids = except?.Encoded ?? [];
        var name = method.Utf8Name.Span;
        int metadata = options?.Metadata is { Count: > 0 } entries ? MetadataBlock.Measure(entries, out _) : 0;
        byte[] message = new byte[HeaderLength + name.Length + metadata + ids.Length + body.Length];
        var to = message.AsSpan();
        Magic.CopyTo(to);
        BinaryPrimitives.WriteUInt64LittleEndian(to[OriginAt..], origin);
        BinaryPrimitives.WriteInt64LittleEndian(to[TimeoutAt..], TimeoutOf(options));
        to[PriorityAt] = options?.Priority is { } priority ? (byte)((int)priority + 1) : (byte)0;
        to[IdempotentAt] = options?.Idempotent is { } idempotent ? idempotent ? (byte)2 : (byte)1 : (byte)0;
        BinaryPrimitives.WriteUInt16LittleEndian(to[NameLengthAt..], (ushort)name.Length);
        BinaryPrimitives.WriteUInt16LittleEndian(to[MetadataLengthAt..], (ushort)metadata);
        BinaryPrimitives.WriteInt32LittleEndian(to[ExceptLengthAt..], ids.Length);
        name.CopyTo(to[HeaderLength..]);
        if (metadata > 0) MetadataBlock.Write(to[(HeaderLength + name.Length)..], options!.Metadata!);
        ids.CopyTo(to[(HeaderLength + name.Length + metadata)..]);
        body.CopyTo(to[(HeaderLength + name.Length + metadata + ids.Length)..]);
        BinaryPrimitives.WriteUInt64LittleEndian(to[HashAt..], StableHash.Of(message.AsSpan(TimeoutAt), origin));
        return message;
    }

    /// <summary>Gets the origin of a message; 0 if it is too short to have one.</summary>
    public static ulong OriginOf(ReadOnlySpan<byte> message) =>
        message.Length < HeaderLength ? 0 : BinaryPrimitives.ReadUInt64LittleEndian(message[OriginAt..]);

    /// <summary>Reads a message.</summary>
    /// <returns>What is wrong with it; null if it was read.</returns>
    public static string? TryRead(ReadOnlyMemory<byte> message, out GroupEnvelope envelope)
    {
        envelope = default;
        var from = message.Span;
        if (from.Length < HeaderLength || !from.StartsWith(Magic)) return $"its {from.Length} bytes do not begin as a call of a group does.";
        ulong hash = BinaryPrimitives.ReadUInt64LittleEndian(from[HashAt..]);
        if (hash != StableHash.Of(from[TimeoutAt..], OriginOf(from))) return "its hash is that of other bytes.";
        long timeout = BinaryPrimitives.ReadInt64LittleEndian(from[TimeoutAt..]);
        int name = BinaryPrimitives.ReadUInt16LittleEndian(from[NameLengthAt..]), metadata = BinaryPrimitives.ReadUInt16LittleEndian(from[MetadataLengthAt..]);
        var (priority, idempotent) = (from[PriorityAt], from[IdempotentAt]);
        int ids = BinaryPrimitives.ReadInt32LittleEndian(from[ExceptLengthAt..]);
        if (ids < 0 || ids > from.Length - HeaderLength - name - metadata) return "it is shorter than it says.";
        if (timeout is < -1 or > Unlimited || priority > (int)MuxCallPriority.Low + 1 || idempotent > 2)
        {
            return "its options have values that no call has.";
        }

        var block = from.Slice(HeaderLength + name, metadata);
        if (metadata > 0 && (!MetadataBlock.TryRead(block, ushort.MaxValue, out int length, out bool isOver, out _) || isOver || length != metadata))
        {
            return "its metadata is malformed.";
        }

        if (!GroupExcept.TryRead(from.Slice(HeaderLength + name + metadata, ids), out var except)) return "the ids of peers that do not get it are malformed.";
        bool hasOptions = timeout >= 0 || priority > 0 || idempotent > 0 || metadata > 0;
        envelope = new GroupEnvelope(Encoding.UTF8.GetString(from.Slice(HeaderLength, name)), !hasOptions ? null : new MuxCallOptions
        {
            Timeout = timeout < 0 ? null : timeout == Unlimited ? Timeout.InfiniteTimeSpan : TimeSpan.FromMicroseconds(timeout),
            Priority = priority == 0 ? null : (MuxCallPriority)(priority - 1),
            Idempotent = idempotent == 0 ? null : idempotent == 2,
            Metadata = metadata == 0 ? null : MetadataBlock.Decode(block),
        }, except, message[(HeaderLength + name + metadata + ids)..]);
        return null;
    }

    private static long TimeoutOf(MuxCallOptions? options) => options?.Timeout switch
    {
        null => -1,
        { } none when none == Timeout.InfiniteTimeSpan => Unlimited,
        { } some => Math.Max(0, (long)some.TotalMicroseconds),
    };
}
