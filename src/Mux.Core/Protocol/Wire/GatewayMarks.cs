namespace Mux.Protocol;

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
