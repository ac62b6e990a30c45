namespace Mux.Hosting;

/// <summary>A service to add to the server of a host once the server exists.</summary>
/// <param name="Contract">The contract interface.</param>
/// <param name="WireName">Unique among the contracts of a server.</param>
/// <param name="AddTo">Adds the service to the server. Describes why the implementation cannot be created; null if nothing is wrong with its
/// registration.</param>
internal sealed record ServiceRegistration(Type Contract, string WireName, Func<IServiceProvider, MuxServer, string?> AddTo);
