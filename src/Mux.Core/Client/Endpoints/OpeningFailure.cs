using Mux.Engine;

namespace Mux.Client;

/// <summary>Why a channel could not be opened.</summary>
/// <param name="Endpoint">The endpoint that failed, or the source that has reported none.</param>
/// <param name="End">The end of the connection.</param>
internal sealed record OpeningFailure(string Endpoint, ConnectionEnd End);
