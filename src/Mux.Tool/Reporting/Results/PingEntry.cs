using Mux.Tool.Pinging;

namespace Mux.Tool.Reporting.Results;

/// <param name="Address">The endpoint.</param>
/// <param name="Sent">Number of pings.</param>
/// <param name="Answered">Number of those that were answered.</param>
/// <param name="ConnectUs">Time of the first connection of the transport; null if there was none.</param>
/// <param name="HandshakeUs">Time from then until calls could be made.</param>
/// <param name="RoundTripUs">Round trips; null if there were none.</param>
/// <param name="Server">What the server says of itself; null if there was none.</param>
/// <param name="LastFailure">Why the last lost ping was lost; null if none was.</param>
internal sealed record PingEntry(
    string Address, int Sent, int Answered, double? ConnectUs, double? HandshakeUs, RoundTripEntry? RoundTripUs, ServerHelloEntry? Server, string? LastFailure)
{
    public static PingEntry Of(PingedEndpoint endpoint) => new(
        endpoint.Address.ToString(),
        endpoint.Sent,
        endpoint.Answered,
        endpoint.Connection?.Connect.TotalMicroseconds,
        endpoint.Connection?.Handshake.TotalMicroseconds,
        endpoint.Answered == 0 ? null : RoundTripEntry.Of(endpoint.RoundTrips()),
        endpoint.Connection?.Hello is { } hello ? ServerHelloEntry.Of(hello) : null,
        endpoint.LastFailure);
}
