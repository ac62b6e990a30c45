using System.Buffers.Binary;

namespace Mux.Protocol;

/// <summary>Head of a REQUEST (0x08) payload, followed by total length, metadata and body (PROTOCOL.md section 4.1).</summary>
/// <remarks>
/// <code>
/// ordinal u16 | options u16 | deadline u32, microseconds left | key u64 | trace context, 25 bytes; each of the last three if options say so
/// </code>
/// </remarks>
internal readonly record struct RequestHead(ushort Ordinal, RequestOptions Options, uint DeadlineMicroseconds)
{
    /// <summary>Length of ordinal and options.</summary>
    public const int MinLength = 4;

    /// <summary>Length with all optional parts.</summary>
    public const int MaxWrittenLength = MinLength + DeadlineLength + KeyLength + TraceContext.Length;

    private const int DeadlineLength = 4, KeyLength = 8;

    /// <summary>Number of bytes before the body.</summary>
    public int Length => MinLength + (HasDeadline ? DeadlineLength : 0) + (HasKey ? KeyLength : 0) + (HasTrace ? TraceContext.Length : 0);

    public bool HasDeadline => (Options & RequestOptions.Deadline) != 0;

    /// <summary>True if the peer says that it is a gateway, which forwards the request for one of its clients.</summary>
    public bool IsForwarded => (Options & RequestOptions.HopsMask) != 0;

    public bool HasKey => (Options & RequestOptions.Key) != 0;

    public bool HasTrace => (Options & RequestOptions.Trace) != 0;

    public static bool TryRead(ReadOnlySpan<byte> payload, out RequestHead head, out ProtocolViolation? violation)
    {
        head = default;
        violation = null;
        if (payload.Length < MinLength)
        {
            violation = TooShort(payload.Length, MinLength);
            return false;
        }

        uint word = BinaryPrimitives.ReadUInt32LittleEndian(payload);
        head = new((ushort)word, (RequestOptions)(word >> 16), 0);
        if (head.Options == RequestOptions.None) return true;
        return TryReadOptions(payload, ref head, out violation);
    }

    /// <summary>Reads the trace context of the payload that this head was read from; requires <see cref="HasTrace"/>.</summary>
    /// <remarks>Not a part of the head, which fits a register: most requests have no trace.</remarks>
    public TraceContext ReadTrace(ReadOnlySpan<byte> payload) => new(payload.Slice(Length - TraceContext.Length, TraceContext.Length));

    /// <summary>Reads the hash of the key of the payload that this head was read from; requires <see cref="HasKey"/>.</summary>
    /// <inheritdoc cref="ReadTrace" path="/remarks"/>
    public ulong ReadKey(ReadOnlySpan<byte> payload) => BinaryPrimitives.ReadUInt64LittleEndian(payload[KeyAt..]);

    /// <param name="payload">Must hold <see cref="Length"/> bytes.</param>
    /// <param name="trace">Trace context; written if <see cref="HasTrace"/>.</param>
    /// <param name="key">Hash of the key; written if <see cref="HasKey"/>.</param>
    public void Write(Span<byte> payload, in TraceContext trace = default, ulong key = 0)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(payload, Ordinal | (uint)Options << 16);
        if (HasDeadline) BinaryPrimitives.WriteUInt32LittleEndian(payload[MinLength..], DeadlineMicroseconds);
        if (HasKey) BinaryPrimitives.WriteUInt64LittleEndian(payload[KeyAt..], key);
        if (HasTrace) trace.Write(payload[(Length - TraceContext.Length)..]);
    }

    private int KeyAt => MinLength + (HasDeadline ? DeadlineLength : 0);

    private static bool TryReadOptions(ReadOnlySpan<byte> payload, ref RequestHead head, out ProtocolViolation? violation)
    {
        violation = null;
        var options = head.Options;
        if ((options & ~RequestOptions.Defined) != 0)
            violation = new(ConnectionCode.ProtocolError, $"REQUEST has undefined option bits: 0x{(ushort)options:X4}.");
        else if ((options & RequestOptions.PriorityMask) == RequestOptions.PriorityMask)
            violation = new(ConnectionCode.ProtocolError, "REQUEST has priority 3; allowed are 0 to 2.");
        else if ((options & (RequestOptions.OneWay | RequestOptions.Stream)) == (RequestOptions.OneWay | RequestOptions.Stream))
            violation = new(ConnectionCode.ProtocolError, "REQUEST is one-way and a stream; it can be only one of them.");
        else if (payload.Length < head.Length)
            violation = TooShort(payload.Length, head.Length);
        else if (head.HasDeadline)
            head = head with { DeadlineMicroseconds = BinaryPrimitives.ReadUInt32LittleEndian(payload[MinLength..]) };
        return violation is null;
    }

    private static ProtocolViolation TooShort(int length, int needed) =>
        new(ConnectionCode.ProtocolError, $"REQUEST carries {length} bytes; its head alone takes {needed}.");
}

/// <summary>The options word of a REQUEST (PROTOCOL.md section 4.2). Bits 14 and 15 are zero.</summary>
[Flags]
internal enum RequestOptions : ushort
{
    None = 0,

    /// <summary>Bits 0 and 1: 0 normal, 1 high, 2 low; 3 is an error.</summary>
    PriorityMask = 3,

    /// <summary>No caller waits for the reply, which is still sent, empty, to free the slot.</summary>
    OneWay = 1 << 2,

    /// <summary>Items follow.</summary>
    Stream = 1 << 3,

    Idempotent = 1 << 4,

    Retry = 1 << 5,

    /// <summary>Four bytes of deadline follow the head.</summary>
    Deadline = 1 << 6,

    /// <summary>Twenty-five bytes of trace context follow the deadline.</summary>
    Trace = 1 << 7,

    /// <summary>Bits 8 to 11: number of gateways that the request has passed; see <see cref="GatewayMarks"/>.</summary>
    HopsMask = 0xF00,

    /// <summary>Eight bytes with the hash of the key follow the deadline. Only for a peer that has asked for keys, which a gateway does.</summary>
    Key = 1 << 12,

    /// <summary>The call keeps its order among those of its key.</summary>
    Ordered = 1 << 13,

    /// <summary>All defined bits.</summary>
    Defined = 0x3FFF,
}
