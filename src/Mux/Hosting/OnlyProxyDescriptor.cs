using Microsoft.Extensions.DependencyInjection;

namespace Mux.Hosting;

/// <summary>The registration of a contract without a key for clients with names, which checks tell from a registration of the application.</summary>
/// <param name="contract">The contract interface.</param>
/// <param name="resolve">Gets the proxy of the only client; throws if several have one.</param>
internal sealed class OnlyProxyDescriptor(Type contract, Func<IServiceProvider, object> resolve)
    : ServiceDescriptor(contract, resolve, ServiceLifetime.Singleton);
