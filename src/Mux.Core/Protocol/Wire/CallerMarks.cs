using System.Buffers.Binary;
using System.Text;

namespace Mux.Protocol;

/// <summary>
/// The caller of a forwarded request as a gateway names it in reserved entries of the metadata (PROTOCOL.md section 4.3). Only as credible as the gateway: read
/// for peers alone that this side has chosen to believe.
/// </summary>
/// <remarks>
/// <code>
/// mux-caller: name | mux-claims: (type length u8, type, value length u16, value) ...; a type without bytes is a role
/// </code>
/// </remarks>
internal ref struct CallerMarks
{
    private const int TypePrefix = 1, ValuePrefix = 2;

    /// <summary>The name; empty if the gateway names no caller.</summary>
    public ReadOnlySpan<byte> Name { get; private set; }

    /// <summary>Roles and claims, well-formed; empty if there are none.</summary>
    public ReadOnlySpan<byte> Claims { get; private set; }

    /// <summary>False if the gateway does not know the roles and claims, or they are not well-formed.</summary>
    public bool HasClaims { get; private set; }

    private static ReadOnlySpan<byte> CallerKey => "mux-caller"u8;

    private static ReadOnlySpan<byte> ClaimsKey => "mux-claims"u8;

    /// <summary>Takes an entry of a block if it is one of the marks. One that is not well-formed is ignored, so that it gives no rights.</summary>
    public void Take(scoped ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        if (key.SequenceEqual(CallerKey) && value.Length is > 0 and <= GatewayMarks.MaxCallerLength) Name = value;
        else if (key.SequenceEqual(ClaimsKey))
        {
            HasClaims = value.Length <= GatewayMarks.MaxClaimsLength && AreClaims(value);
            Claims = HasClaims ? value : default;
        }
    }

    /// <summary>Reads the claims.</summary>
    /// <param name="claims">Well-formed claims.</param>
    /// <returns>The claims; the type of a role is empty.</returns>
    public static List<(string Type, string Value)> Read(ReadOnlySpan<byte> claims)
    {
        List<(string, string)> read = [];
        while (TryTake(ref claims, out var type, out var value)) read.Add((Encoding.UTF8.GetString(type), Encoding.UTF8.GetString(value)));
        return read;
    }

    /// <summary>Encodes roles and claims.</summary>
    /// <param name="claims">The claims; the type of a role is empty.</param>
    /// <returns>The bytes; null if they are more than <see cref="GatewayMarks.MaxClaimsLength"/>.</returns>
    public static byte[]? Write(IEnumerable<(string Type, string Value)> claims)
    {
        var written = new List<byte>();
        Span<byte> length = stackalloc byte[ValuePrefix];
        foreach (var (type, value) in claims)
        {
            byte[] typeBytes = Encoding.UTF8.GetBytes(type), valueBytes = Encoding.UTF8.GetBytes(value);
            if (typeBytes.Length > byte.MaxValue || valueBytes.Length > GatewayMarks.MaxClaimsLength) return null;
            written.Add((byte)typeBytes.Length);
            written.AddRange(typeBytes);
            BinaryPrimitives.WriteUInt16LittleEndian(length, (ushort)valueBytes.Length);
            written.AddRange(length);
            written.AddRange(valueBytes);
            if (written.Count > GatewayMarks.MaxClaimsLength) return null;
        }

        return [.. written];
    }

    private static bool AreClaims(ReadOnlySpan<byte> claims)
    {
        while (TryTake(ref claims, out _, out _))
        {
            // Only the form counts.
        }

        return claims.IsEmpty;
    }

    /// <returns>False if there is no complete claim.</returns>
    private static bool TryTake(ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> type, out ReadOnlySpan<byte> value)
    {
        type = value = default;
        if (rest.IsEmpty || rest.Length < TypePrefix + rest[0] + ValuePrefix) return false;
        var behindType = rest[(TypePrefix + rest[0])..];
        int length = BinaryPrimitives.ReadUInt16LittleEndian(behindType);
        if (behindType.Length < ValuePrefix + length) return false;
        type = rest.Slice(TypePrefix, rest[0]);
        value = behindType.Slice(ValuePrefix, length);
        rest = behindType[(ValuePrefix + length)..];
        return true;
    }
}

/// <summary>
/// What gateways add to the requests that they forward: a count in the options, which costs a request no byte (PROTOCOL.md section 4.2), and the caller in the
/// metadata (section 4.3): <see cref="CallerMarks"/>.
/// </summary>
internal static class GatewayMarks
{
    public const string CallerKey = "mux-caller";

    public const string ClaimsKey = "mux-claims";

    /// <summary>Most gateways that a call may pass. A call that has passed as many is in a loop.</summary>
    public const int MaxHops = 8;

    /// <summary>Most bytes of the name of a caller.</summary>
    public const int MaxCallerLength = 256;

    /// <summary>Most bytes of the roles and claims of a caller: half of the metadata that a server with default limits accepts.</summary>
    public const int MaxClaimsLength = 4096;

    private const int HopsShift = 8;

    /// <summary>Gets how many gateways a request has passed; 0 if it was not forwarded.</summary>
    public static int HopsOf(RequestOptions options) => (int)(options & RequestOptions.HopsMask) >> HopsShift;

    /// <summary>Gets the options that say how many gateways a request has passed.</summary>
    /// <param name="hops">0 to 15.</param>
    public static RequestOptions OptionsOf(int hops) => (RequestOptions)(hops << HopsShift) & RequestOptions.HopsMask;
}

/// <summary>Trace context of a REQUEST: the call's place in a distributed trace, as in W3C Trace Context (PROTOCOL.md section 4.1).</summary>
/// <remarks>
/// <code>
/// trace id, 16 bytes | span id, 8 bytes | flags u8
/// </code>
/// The ids are byte strings, not numbers. They are kept highest byte first, so that their hexadecimal digits are those of the bytes in order.
/// </remarks>
internal readonly record struct TraceContext(ulong TraceIdHigh, ulong TraceIdLow, ulong SpanId, byte Flags)
{
    public const int Length = 25;

    public TraceContext(ReadOnlySpan<byte> from)
        : this(BinaryPrimitives.ReadUInt64BigEndian(from), BinaryPrimitives.ReadUInt64BigEndian(from[8..]), BinaryPrimitives.ReadUInt64BigEndian(from[16..]),
            from[24])
    {
    }

    /// <summary>True if both ids are valid, that is, not all zero.</summary>
    public bool IsValid => (TraceIdHigh | TraceIdLow) != 0 && SpanId != 0;

    public void Write(Span<byte> to)
    {
        BinaryPrimitives.WriteUInt64BigEndian(to, TraceIdHigh);
        BinaryPrimitives.WriteUInt64BigEndian(to[8..], TraceIdLow);
        BinaryPrimitives.WriteUInt64BigEndian(to[16..], SpanId);
        to[24] = Flags;
    }

    public override string ToString() => $"{TraceIdHigh:x16}{TraceIdLow:x16}-{SpanId:x16}-{Flags:x2}";
}
