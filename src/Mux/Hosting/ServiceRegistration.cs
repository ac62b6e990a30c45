namespace Mux.Hosting;

/// <summary>A service to add to the server of a host once the server exists.</summary>
/// <param name="Contract">The contract interface.</param>
/// <param name="WireName">Unique among the contracts of a server.</param>
/// <param name="FindMistake">Describes why the implementation cannot be created; null if nothing is wrong with its registration.</param>
/// <param name="AddTo">Adds the service to the server.</param>
internal sealed record ServiceRegistration(
    Type Contract, string WireName, Func<IServiceProvider, string?> FindMistake, Action<IServiceProvider, MuxServer> AddTo);
