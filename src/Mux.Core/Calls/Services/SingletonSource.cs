using Mux.Services;

namespace Mux.Calls;

/// <summary>Provides one instance for all calls.</summary>
internal sealed class SingletonSource<TService>(TService service) : ServiceSource<TService>
    where TService : class
{
    public override TService? Singleton => service;

    public override ServiceLease<TService> Open() => new(service, null);
}
