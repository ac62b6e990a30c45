namespace Mux.Sessions.Incoming;

/// <summary>A request that waits until it may run.</summary>
/// <param name="Call">The call, which is in no turn.</param>
/// <param name="Body">The array of the request.</param>
/// <param name="Length">Length of the request in bytes.</param>
/// <param name="Charge">Bytes taken of the server's memory for it.</param>
internal readonly record struct ParkedRequest(InboundCall Call, byte[] Body, int Length, long Charge);
