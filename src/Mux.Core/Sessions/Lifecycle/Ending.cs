using Mux.Wire;

namespace Mux.Sessions.Lifecycle;

/// <summary>How a connection is to end, decided by one part and carried out by the connection for all.</summary>
/// <param name="End">Why.</param>
/// <param name="GoAway">What the peer is told, behind what is queued; null for nothing.</param>
/// <param name="IsAtOnce">Whether what is queued is not sent.</param>
/// <param name="RequestText">Where the requests that are not answered are failed before, what their callers are told; else null.</param>
internal readonly record struct Ending(ConnectionEnd End, GoAwayFrame? GoAway = null, bool IsAtOnce = false, string? RequestText = null)
{
    public static Ending AtOnce(ConnectionEnd end) => new(end, IsAtOnce: true);
}
