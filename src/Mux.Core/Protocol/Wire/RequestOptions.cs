namespace Mux.Protocol;

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
