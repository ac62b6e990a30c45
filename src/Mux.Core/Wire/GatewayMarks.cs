using System.Text;

namespace Mux.Wire;

/// <summary>
/// What gateways add to the requests that they forward: a count in the options, which costs a request no byte (PROTOCOL.md section 4.2), and the name of the
/// caller in the metadata (section 4.3).
/// </summary>
internal static class GatewayMarks
{
    public const string CallerKey = "mux-caller";

    /// <summary>Most gateways that a call may pass. A call that has passed as many is in a loop.</summary>
    public const int MaxHops = 8;

    /// <summary>Most bytes of the name of a caller.</summary>
    public const int MaxCallerLength = 256;

    private const int HopsShift = 8;

    private static ReadOnlySpan<byte> Caller => "mux-caller"u8;

    /// <summary>Gets how many gateways a request has passed; 0 if it was not forwarded.</summary>
    public static int HopsOf(RequestOptions options) => (int)(options & RequestOptions.HopsMask) >> HopsShift;

    /// <summary>Gets the options that say how many gateways a request has passed.</summary>
    /// <param name="hops">0 to 15.</param>
    public static RequestOptions OptionsOf(int hops) => (RequestOptions)(hops << HopsShift) & RequestOptions.HopsMask;

    /// <summary>Reads a reserved entry of a block: the name of the user that made the call at the first gateway. Only as credible as the peer.</summary>
    /// <returns>The name; null if the entry is another one, or not well-formed: then it is ignored.</returns>
    public static string? ReadCaller(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value) =>
        key.SequenceEqual(Caller) && value.Length is > 0 and <= MaxCallerLength ? Encoding.UTF8.GetString(value) : null;
}
