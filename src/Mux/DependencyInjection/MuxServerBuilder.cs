using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Mux.Contracts;
using Mux.Hosting;

namespace Mux.DependencyInjection;

/// <summary>Registers implementations with the container and tells the server where to find them.</summary>
internal sealed class MuxServerBuilder(IServiceCollection services) : IMuxServerBuilder
{
    public IServiceCollection Services => services;

    public IMuxServerBuilder AddService<TContract, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract
    {
        _ = ServiceContract<TContract>.Get(); // a wrong interface fails here, where it is named
        services.TryAddSingleton<TImplementation>();
        services.AddSingleton(new ServiceRegistration((provider, server) => server.AddService<TContract>(provider.GetRequiredService<TImplementation>())));
        return this;
    }

    public IMuxServerBuilder AddScopedService<TContract, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract
    {
        _ = ServiceContract<TContract>.Get();
        services.TryAddScoped<TImplementation>();
        services.AddSingleton(new ServiceRegistration((provider, server) =>
            server.AddServiceFrom(new ScopedServiceSource<TContract, TImplementation>(provider.GetRequiredService<IServiceScopeFactory>()))));
        return this;
    }
}
