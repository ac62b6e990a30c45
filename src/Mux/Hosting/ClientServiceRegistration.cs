namespace Mux.Hosting;

/// <summary>A service that a client of a host serves.</summary>
/// <param name="Client">Name of the client; empty for the client without a name.</param>
/// <param name="Contract">The contract interface.</param>
/// <param name="WireName">Unique among the contracts of a client.</param>
/// <param name="FindMistake">Describes why the implementation cannot be created; null if nothing is wrong with its registration.</param>
internal sealed record ClientServiceRegistration(string Client, Type Contract, string WireName, Func<IServiceProvider, string?> FindMistake);
