namespace Mux.Configuration;

/// <summary>A call that added a proxy to a client with a name.</summary>
/// <param name="Contract">The contract interface.</param>
/// <param name="Client">Name of the client.</param>
internal sealed record ProxyRegistration(Type Contract, string Client);
