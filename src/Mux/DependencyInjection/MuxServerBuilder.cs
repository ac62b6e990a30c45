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
        Register<TContract>((provider, server) => server.AddService<TContract>(provider.GetRequiredService<TImplementation>()));
        services.TryAddSingleton<TImplementation>();
        return this;
    }

    public IMuxServerBuilder AddScopedService<TContract, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract
    {
        Register<TContract>((provider, server) => server.AddServiceFrom(new ScopedServiceSource<TContract, TImplementation>(provider.GetRequiredService<IServiceScopeFactory>())));
        services.TryAddScoped<TImplementation>();
        return this;
    }

    /// <summary>What is wrong with a contract fails here, where it is named, and not when the host starts.</summary>
    private void Register<TContract>(Action<IServiceProvider, MuxServer> addTo)
        where TContract : class
    {
        var name = ServiceContract<TContract>.Get().Name;
        var registered = services.Where(service => service.ServiceType == typeof(ServiceRegistration)).Select(service => (ServiceRegistration)service.ImplementationInstance!);
        if (registered.FirstOrDefault(service => service.WireName == name) is { } other)
            throw new InvalidOperationException($"{typeof(TContract)} cannot be served as '{name}': {other.Contract} was added with this wire name before.");
        services.AddSingleton(new ServiceRegistration(typeof(TContract), name, addTo));
    }
}
