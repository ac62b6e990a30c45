namespace Mux;

/// <summary>One attempt to carry out a call, which failed. See <see cref="MuxFailure.Attempts"/>.</summary>
/// <param name="Endpoint">The configured address of the server to which the attempt went.</param>
/// <param name="Status">The status with which the attempt ended.</param>
/// <param name="Execution">Tells whether this attempt ran the handler, as far as this side knows.</param>
/// <param name="Phase">The phase in which the attempt failed.</param>
public sealed record MuxAttempt(string Endpoint, MuxStatus Status, MuxExecution Execution, MuxCallPhase Phase);
