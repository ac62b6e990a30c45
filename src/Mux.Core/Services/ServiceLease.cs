namespace Mux.Services;

/// <summary>A service instance for one call, and what is disposed when the call has ended.</summary>
/// <typeparam name="TService">The contract interface.</typeparam>
/// <param name="Service">The instance.</param>
/// <param name="Scope">Disposed once the handler has returned, also when it threw; null where there is nothing to dispose.</param>
public readonly record struct ServiceLease<TService>(TService Service, IAsyncDisposable? Scope)
    where TService : class;
