using System.Net.Sockets;

namespace Mux.Transports.Sockets;

/// <summary>
/// How a dial, or one attempt of it, has ended. Failures are values: a client of servers that are away dials for as long as they are, and an exception that
/// passes through the layers of a dial costs more than the rest of it.
/// </summary>
/// <param name="Socket">The connected socket; null if there is none.</param>
/// <param name="Failure">Why there is none; null also for an attempt that had no answer in time.</param>
internal readonly record struct DialOutcome(Socket? Socket, Exception? Failure = null);
