namespace Mux.Services;

/// <summary>Holds the service instance for one call, and the scope that is disposed after the call.</summary>
/// <typeparam name="TService">The contract interface.</typeparam>
/// <param name="Service">The service instance.</param>
/// <param name="Scope">The scope to dispose when the handler has returned or thrown; null if there is nothing to dispose.</param>
public readonly record struct ServiceLease<TService>(TService Service, IAsyncDisposable? Scope)
    where TService : class;
