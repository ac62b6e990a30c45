namespace Mux.Hosting;

/// <summary>A service that was added to the server of a host before there is one.</summary>
/// <param name="Contract">The contract interface.</param>
/// <param name="WireName">No two contracts of a server share one.</param>
/// <param name="AddTo">Adds it to the server.</param>
internal sealed record ServiceRegistration(Type Contract, string WireName, Action<IServiceProvider, MuxServer> AddTo);
