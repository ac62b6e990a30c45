using System.Net;

namespace Mux.Discovery.Dns;

/// <summary>One SRV record, with the addresses of its target.</summary>
/// <param name="Addresses">The addresses of the target; empty if it has none.</param>
/// <param name="Port">The port.</param>
/// <param name="Priority">Servers with a higher number are for the case that those with the lowest number fail.</param>
/// <param name="Weight">Share of the calls among servers of one priority; 0 is the least.</param>
internal sealed record SrvServer(IReadOnlyList<IPAddress> Addresses, int Port, int Priority, int Weight);
