using System.Diagnostics.CodeAnalysis;
using System.Security.Claims;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Mux.Contracts;
using Mux.Discovery;
using Mux.Filters;
using Mux.Hosting;
using Mux.Identity;

namespace Mux.DependencyInjection;

/// <summary>Registers implementations with the container, and tells the server where to find them.</summary>
internal sealed class MuxServerBuilder(IServiceCollection services) : IMuxServerBuilder
{
    public IServiceCollection Services => services;

    public IMuxServerBuilder AddService<TContract, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract
    {
        Register<TContract>((provider, server) =>
        {
            ThrowIfScoped(typeof(TContract), typeof(TImplementation));
            if (FindScopedPart<TContract, TImplementation>(provider) is { } part) return part;
            TImplementation implementation;
            string? mistake = null;
            try
            {
                implementation = provider.GetRequiredService<TImplementation>();
            }
            catch (InvalidOperationException) when ((mistake = FindMistake<TImplementation>(provider)) is not null)
            {
                return mistake; // says more than the container
            }

            server.AddService<TContract>(implementation);
            return null;
        });
        services.TryAddSingleton<TImplementation>();
        return this;
    }

    public IMuxServerBuilder AddScopedService<TContract, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract
    {
        Register<TContract>((provider, server) =>
        {
            if (FindMistake<TImplementation>(provider) is { } mistake) return mistake;
            server.AddServiceFrom(new ScopedServiceSource<TContract, TImplementation>(provider.GetRequiredService<IServiceScopeFactory>()));
            return null;
        });
        services.TryAddScoped<TImplementation>();
        return this;
    }

    public IMuxServerBuilder AddPeerService<TContract, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract
    {
        Register<TContract>((provider, server) =>
        {
            if (FindMistake<TImplementation>(provider) is { } mistake) return mistake;
            var scopes = provider.GetRequiredService<IServiceScopeFactory>();
            server.AddServiceFrom(new PeerServiceSource<TContract, TImplementation>(scopes));
            return null;
        });
        services.TryAddScoped<PeerOfScope>();
        services.TryAddScoped(static provider => provider.GetRequiredService<PeerOfScope>().Require());
        bool isKnown = Find(typeof(PeerServiceEvents<TImplementation>)) is not null; // for another contract
        services.TryAddScoped<TImplementation>();
        if (isKnown || !typeof(TImplementation).IsAssignableTo(typeof(IMuxPeerEvents))) return this;
        services.AddSingleton(static provider => new PeerServiceEvents<TImplementation>(provider.GetRequiredService<IServiceScopeFactory>()));
        return ConfigureServer(static (provider, server) => server.AddPeerEvents(provider.GetRequiredService<PeerServiceEvents<TImplementation>>()));
    }

    public IMuxServerBuilder AddPeerEvents<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TEvents>()
        where TEvents : class, IMuxPeerEvents
    {
        services.TryAddSingleton<TEvents>();
        return ConfigureServer(static (provider, server) => server.AddPeerEvents(provider.GetRequiredService<TEvents>()));
    }

    public IMuxServerBuilder AddCallContext()
    {
        services.Configure<MuxServerOptions>(static options => options.EnableCallContext = true);
        services.TryAddSingleton<IMuxCallContextAccessor, CallContextAccessor>();
        services.TryAddScoped(static _ => CallContextAccessor.Require());
        return this;
    }

    public IMuxServerBuilder AddPolicy(string name, Func<ClaimsPrincipal, bool> isMet)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ArgumentNullException.ThrowIfNull(isMet);
        services.Configure<MuxServerOptions>(options => (options.Identity ??= new MuxIdentityOptions()).Policies[name] = isMet);
        return this;
    }

    public IMuxServerBuilder AddRegistry(MuxEndpoint endpoint, Func<IServiceProvider, IEndpointRegistry> create)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(create);
        services.AddSingleton(provider => new EndpointAnnouncement(endpoint, create(provider),
            provider.GetRequiredService<IOptions<MuxServerOptions>>().Value.TimeProvider,
            provider.GetRequiredService<ILoggerFactory>().CreateLogger("Mux.Server")));
        return this;
    }

    public IMuxServerBuilder AddFilter<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TFilter>()
        where TFilter : MuxFilter => AddFilter(FilterFactory.OfServer<TFilter>(services));

    public IMuxServerBuilder AddFilter<TContract, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TFilter>(
        string? method = null)
        where TContract : class
        where TFilter : MuxFilter => AddFilter<TContract>(FilterFactory.OfServer<TFilter>(services), method);

    public IMuxServerBuilder AddFilter(Func<IServiceProvider, MuxFilter> create)
    {
        FilterFactory.Add(services.AddOptions<MuxServerOptions>(), create);
        return this;
    }

    public IMuxServerBuilder AddFilter<TContract>(Func<IServiceProvider, MuxFilter> create, string? method = null)
        where TContract : class
    {
        FilterFactory.Add<MuxServerOptions, TContract>(services.AddOptions<MuxServerOptions>(), create, method);
        return this;
    }

    public IMuxServerBuilder ConfigureServer(Action<IServiceProvider, MuxServer> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        services.AddSingleton(new ServerInitializer(configure));
        return this;
    }

    /// <summary>
    /// Throws if the implementation is scoped. Runs when the host starts, because it may be registered after this call. Only a container that validates scopes,
    /// which is the default in development only, would reject it.
    /// </summary>
    private void ThrowIfScoped(Type contract, Type implementation)
    {
        if (Find(implementation) is not { Lifetime: ServiceLifetime.Scoped }) return;
        string types = $"<{contract.Name}, {implementation.Name}>()";
        throw new InvalidOperationException($"{implementation} is registered as scoped, but AddService{types} uses one instance for all calls. Use " +
            $"AddScopedService{types}.");
    }

    /// <summary>
    /// Describes why the implementation cannot be created, if the container calls its constructor; null otherwise. Runs when the host starts: services may be
    /// registered after this call. Parts of a singleton that miss parts themselves are found when it is created, those of a scoped service by the calls.
    /// </summary>
    private string? FindMistake<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>(IServiceProvider provider) =>
        Find(typeof(TImplementation))?.ImplementationType == typeof(TImplementation)
            ? new ConstructorCheck(provider, services).FindMistake(typeof(TImplementation)) : null;

    /// <summary>
    /// Describes a part that the one instance would keep although it is for one call only; null if there is none. Only its own constructor is looked at. Only a
    /// container that validates scopes, which is the default in development only, would reject it.
    /// </summary>
    private string? FindScopedPart<TContract, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>(
        IServiceProvider provider)
    {
        if (Find(typeof(TImplementation)) is not { } found || found.ImplementationType != typeof(TImplementation)) return null;
        if (new ConstructorCheck(provider, services).FindScoped(typeof(TImplementation)) is not { } part) return null;
        string types = $"<{TypeName.Of(typeof(TContract))}, {TypeName.Of(typeof(TImplementation))}>()";
        return $"'{part.Name}' ({TypeName.Of(part.ParameterType)}) is scoped, but AddService{types} uses one instance for all calls: use " +
            $"AddScopedService{types}.";
    }

    /// <summary>The registration that the container uses.</summary>
    private ServiceDescriptor? Find(Type service) => services.LastOrDefault(descriptor => !descriptor.IsKeyedService && descriptor.ServiceType == service);

    /// <summary>Registers a contract. An interface that is not a contract fails here, where the code names it, and not when the host starts.</summary>
    private void Register<TContract>(Func<IServiceProvider, MuxServer, string?> addTo)
        where TContract : class
    {
        var name = ServiceContract<TContract>.Get().Name;
        if (Registrations.Of<ServiceRegistration>(services).FirstOrDefault(service => service.WireName == name) is { } other)
            throw new InvalidOperationException($"{typeof(TContract)} cannot be served as '{name}': {other.Contract} was added with this wire name before.");
        services.AddSingleton(new ServiceRegistration(typeof(TContract), name, addTo));
    }
}
