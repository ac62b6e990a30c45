using Mux.Protocol;

namespace Mux.Engine;

/// <summary>A decision to end a connection: made by one part, carried out by the connection.</summary>
/// <param name="End">The reason.</param>
/// <param name="GoAway">The GOAWAY sent after the queued frames; null for none.</param>
/// <param name="IsAtOnce">True if queued frames are not sent.</param>
/// <param name="RequestText">The message for callers whose requests are failed before the end; null if no requests are failed.</param>
internal readonly record struct Ending(ConnectionEnd End, GoAwayFrame? GoAway = null, bool IsAtOnce = false, string? RequestText = null)
{
    public static Ending AtOnce(ConnectionEnd end) => new(end, IsAtOnce: true);
}
