namespace Mux.Tool.Pinging;

/// <summary>Outcome of one ping.</summary>
/// <param name="Endpoint">The endpoint.</param>
/// <param name="Sequence">Its number, from 1.</param>
/// <param name="RoundTrip">Time of the call; null if it was lost.</param>
/// <param name="Failure">Why it was lost; null if it was not.</param>
/// <param name="Opened">The connection, if one was opened for it.</param>
internal sealed record PingReply(MuxAddress Endpoint, int Sequence, TimeSpan? RoundTrip, string? Failure, PingConnection? Opened);
