using System.Buffers.Binary;
using System.Text;
using Mux.Contracts;
using Mux.Protocol;

namespace Mux.Push;

/// <summary>A call of another server, which has come by the relay.</summary>
/// <param name="Method">The method, as this server knows it.</param>
/// <param name="Envelope">What has come.</param>
internal readonly record struct GroupArrival(GroupMethod Method, GroupEnvelope Envelope)
{
    /// <summary>Reads a message. One that is no call of this side is told and skipped.</summary>
    /// <param name="kind">What the groups share.</param>
    /// <param name="channel">Where it has come.</param>
    /// <param name="message">The message.</param>
    /// <param name="arrival">The call.</param>
    /// <returns>False if it is skipped, or was sent from here.</returns>
    public static bool TryRead(GroupKind kind, string channel, ReadOnlyMemory<byte> message, out GroupArrival arrival)
    {
        arrival = default;
        if (GroupEnvelope.OriginOf(message.Span) == kind.Origin) return false;
        var reason = GroupEnvelope.TryRead(message, out var envelope);
        var method = reason is null ? kind.Methods.Find(envelope.Method) : null;
        if (method is null)
        {
            kind.Relay!.OnUnreadable(channel, reason ?? $"it calls {envelope.Method}, which is no one-way method of {kind.Methods.Service} here.");
            return false;
        }

        arrival = new GroupArrival(method, envelope);
        return true;
    }

    /// <summary>Hands the call to members in this process.</summary>
    /// <param name="kind">What the groups share.</param>
    /// <param name="members">The members.</param>
    /// <param name="label">Names their group for people.</param>
    /// <param name="except">The members that do not get it; null if all do.</param>
    public void Deliver(GroupKind kind, GroupMember[] members, GroupLabel label, GroupExcept? except)
    {
        var body = Envelope.Body.Span;
        var bulk = body.Length > ProtocolConstants.MaxWholeBody ? BulkMessage.Copy(body) : null;
        GroupDelivery.Run(kind, members, label, Method, body, bulk, Envelope.Options, except);
        bulk?.LetGo();
    }
}

/// <summary>
/// A call of a group on its way between servers: <c>MXG1</c> or <c>MXG2</c>, the origin (8 bytes), a hash of all that follows (8), the timeout in
/// microseconds (8; -1 for that of the method), the priority (1; 0 for none, otherwise one more), whether it is idempotent (1; 0 not said, 1 no, 2 yes), the
/// lengths of the method's name and of the metadata (2 each), in <c>MXG2</c> that of the ids of peers that do not get it (4), name, metadata, ids (each a byte
/// with its length, and UTF-8) and request. Little-endian. The hash finds foreign bytes; it protects from no attacker.
/// </summary>
/// <remarks>
/// Where calls to peers by their ids come (<see cref="ListedPeers"/>), the ids are those of the peers that get them.
/// A call without ids is always <c>MXG1</c>, so servers that do not know the other form read it, too: new forms must not change those that are there, because
/// the servers of one backplane are not replaced at once.
/// </remarks>
/// <param name="Method">The full name of the method.</param>
/// <param name="Options">Options of the call; null if there are none.</param>
/// <param name="Except">The ids of the peers that do not get it, or alone get it; null if there are none.</param>
/// <param name="Body">The request.</param>
internal readonly record struct GroupEnvelope(string Method, MuxCallOptions? Options, GroupExcept? Except, ReadOnlyMemory<byte> Body)
{
    private const int OriginAt = 4, HashAt = 12, TimeoutAt = 20, PriorityAt = 28, IdempotentAt = 29, NameLengthAt = 30, MetadataLengthAt = 32;
    private const int ExceptLengthAt = 34, ShortHeader = 34, LongHeader = 38;

    /// <summary>The longest time that a message can have, which stands for no limit.</summary>
    private const long Unlimited = long.MaxValue / TimeSpan.TicksPerMicrosecond;

    private const string TooShort = "its bytes are fewer than it says.";

    private static ReadOnlySpan<byte> Family => "MXG"u8;

    /// <summary>Makes a message. The metadata is no more than a peer may accept.</summary>
    public static byte[] Create(ulong origin, MethodDescriptor method, MuxCallOptions? options, GroupExcept? except, ReadOnlySpan<byte> body)
    {
        byte[] ids = except?.Encoded ?? [];
        var name = method.Utf8Name.Span;
        int metadata = options?.Metadata is { Count: > 0 } entries ? MetadataBlock.Measure(entries, out _) : 0;
        int header = ids.Length == 0 ? ShortHeader : LongHeader;
        byte[] message = new byte[header + name.Length + metadata + ids.Length + body.Length];
        var to = message.AsSpan();
        Family.CopyTo(to);
        to[Family.Length] = ids.Length == 0 ? (byte)'1' : (byte)'2';
        BinaryPrimitives.WriteUInt64LittleEndian(to[OriginAt..], origin);
        BinaryPrimitives.WriteInt64LittleEndian(to[TimeoutAt..], TimeoutOf(options));
        to[PriorityAt] = options?.Priority is { } priority ? (byte)((int)priority + 1) : (byte)0;
        to[IdempotentAt] = options?.Idempotent is { } idempotent ? idempotent ? (byte)2 : (byte)1 : (byte)0;
        BinaryPrimitives.WriteUInt16LittleEndian(to[NameLengthAt..], (ushort)name.Length);
        BinaryPrimitives.WriteUInt16LittleEndian(to[MetadataLengthAt..], (ushort)metadata);
        if (ids.Length > 0) BinaryPrimitives.WriteInt32LittleEndian(to[ExceptLengthAt..], ids.Length);
        name.CopyTo(to[header..]);
        if (metadata > 0) MetadataBlock.Write(to[(header + name.Length)..], options!.Metadata!);
        ids.CopyTo(to[(header + name.Length + metadata)..]);
        body.CopyTo(to[(header + name.Length + metadata + ids.Length)..]);
        BinaryPrimitives.WriteUInt64LittleEndian(to[HashAt..], StableHash.Of(message.AsSpan(TimeoutAt), origin));
        return message;
    }

    /// <summary>Gets the origin of a message; 0 if it is too short to have one.</summary>
    public static ulong OriginOf(ReadOnlySpan<byte> message) =>
        message.Length < ShortHeader ? 0 : BinaryPrimitives.ReadUInt64LittleEndian(message[OriginAt..]);

    /// <summary>Reads a message.</summary>
    /// <returns>What is wrong with it; null if it was read.</returns>
    public static string? TryRead(ReadOnlyMemory<byte> message, out GroupEnvelope envelope)
    {
        envelope = default;
        var from = message.Span;
        if (from.Length < ShortHeader || !from.StartsWith(Family)) return $"its {from.Length} bytes do not begin as a call of a group does.";
        int header = from[Family.Length] switch { (byte)'1' => ShortHeader, (byte)'2' => LongHeader, _ => int.MaxValue };
        if (header == int.MaxValue) return "its form is that of a newer version of Mux. Bring this server up to date.";
        ulong hash = BinaryPrimitives.ReadUInt64LittleEndian(from[HashAt..]);
        if (hash != StableHash.Of(from[TimeoutAt..], OriginOf(from))) return "its hash is that of other bytes.";
        if (from.Length < header) return TooShort;
        long timeout = BinaryPrimitives.ReadInt64LittleEndian(from[TimeoutAt..]);
        int name = BinaryPrimitives.ReadUInt16LittleEndian(from[NameLengthAt..]), metadata = BinaryPrimitives.ReadUInt16LittleEndian(from[MetadataLengthAt..]);
        var (priority, idempotent) = (from[PriorityAt], from[IdempotentAt]);
        int ids = header == LongHeader ? BinaryPrimitives.ReadInt32LittleEndian(from[ExceptLengthAt..]) : 0;
        if (ids < 0 || ids > from.Length - header - name - metadata) return TooShort;
        if (timeout is < -1 or > Unlimited || priority > (int)MuxCallPriority.Low + 1 || idempotent > 2)
        {
            return "its options have values that no call has.";
        }

        var block = from.Slice(header + name, metadata);
        if (metadata > 0 && (!MetadataBlock.TryRead(block, ushort.MaxValue, out int length, out bool isOver, out _) || isOver || length != metadata))
        {
            return "its metadata is malformed.";
        }

        if (!GroupExcept.TryRead(from.Slice(header + name + metadata, ids), out var except)) return "the ids of peers that do not get it are malformed.";
        bool hasOptions = timeout >= 0 || priority > 0 || idempotent > 0 || metadata > 0;
        envelope = new GroupEnvelope(Encoding.UTF8.GetString(from.Slice(header, name)), !hasOptions ? null : new MuxCallOptions
        {
            Timeout = timeout < 0 ? null : timeout == Unlimited ? Timeout.InfiniteTimeSpan : TimeSpan.FromMicroseconds(timeout),
            Priority = priority == 0 ? null : (MuxCallPriority)(priority - 1),
            Idempotent = idempotent == 0 ? null : idempotent == 2,
            Metadata = metadata == 0 ? null : MetadataBlock.Decode(block),
        }, except, message[(header + name + metadata + ids)..]);
        return null;
    }

    private static long TimeoutOf(MuxCallOptions? options) => options?.Timeout switch
    {
        null => -1,
        { } none when none == Timeout.InfiniteTimeSpan => Unlimited,
        { } some => Math.Max(0, (long)some.TotalMicroseconds),
    };
}
