using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using Mux.Configuration;
using Mux.Contracts;
using Mux.Discovery;
using Mux.Filters;
using Mux.Hosting;
using Mux.Services;

namespace Mux.DependencyInjection;

/// <summary>Registers proxies, sources and services of one client.</summary>
internal sealed class MuxClientBuilder(IServiceCollection services, string? name) : IMuxClientBuilder
{
    public IServiceCollection Services => services;

    public string? Name => name;

    public IMuxClientBuilder AddProxy<TContract>()
        where TContract : class
    {
        _ = ServiceContract<TContract>.Get(); // an interface that is not a contract fails here, where the code names it
        if (name is null) AddUnkeyed<TContract>();
        else AddKeyed<TContract>(name);
        return this;
    }

    public IMuxClientBuilder AddSource(IReadOnlyCollection<string> schemes, Func<MuxChannelOptions, IServiceProvider, IEndpointSource> create)
    {
        new SchemeSource(name, schemes, create).AddTo(services);
        return this;
    }

    public IMuxClientBuilder AddFilter<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TFilter>()
        where TFilter : MuxFilter => AddFilter(FilterFactory.OfClient<TFilter>(services));

    public IMuxClientBuilder AddFilter<TContract, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TFilter>(
        string? method = null)
        where TContract : class
        where TFilter : MuxFilter => AddFilter<TContract>(FilterFactory.OfClient<TFilter>(services), method);

    public IMuxClientBuilder AddFilter(Func<IServiceProvider, MuxFilter> create)
    {
        FilterFactory.Add(Options, create);
        return this;
    }

    public IMuxClientBuilder AddFilter<TContract>(Func<IServiceProvider, MuxFilter> create, string? method = null)
        where TContract : class
    {
        FilterFactory.Add<MuxChannelOptions, TContract>(Options, create, method);
        return this;
    }

    public IMuxClientBuilder AddService<TContract, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract
    {
        Register<TContract, TImplementation>(static provider => new LateServiceSource<TContract, TImplementation>(provider), isScoped: false);
        services.TryAddSingleton<TImplementation>();
        return this;
    }

    public IMuxClientBuilder AddScopedService<TContract, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>()
        where TContract : class
        where TImplementation : class, TContract
    {
        Register<TContract, TImplementation>(
            static provider => new ScopedServiceSource<TContract, TImplementation>(provider.GetRequiredService<IServiceScopeFactory>()), isScoped: true);
        services.TryAddScoped<TImplementation>();
        return this;
    }

    public IMuxClientBuilder AddCallContext()
    {
        Options.Configure(static options => options.EnableCallContext = true);
        services.TryAddSingleton<IMuxCallContextAccessor, CallContextAccessor>();
        services.TryAddScoped(static _ => CallContextAccessor.Require());
        return this;
    }

    public IMuxClientBuilder OnOpened(Func<MuxPeer, CancellationToken, ValueTask> run)
    {
        ArgumentNullException.ThrowIfNull(run);
        Options.Configure(options => options.OnOpened = options.OnOpened is { } before ? InTurn(before, run) : run);
        return this;
    }

    private string OptionsName => name ?? Microsoft.Extensions.Options.Options.DefaultName;

    private OptionsBuilder<MuxChannelOptions> Options => services.AddOptions<MuxChannelOptions>(OptionsName);

    private static Func<MuxPeer, CancellationToken, ValueTask> InTurn(
        Func<MuxPeer, CancellationToken, ValueTask> first, Func<MuxPeer, CancellationToken, ValueTask> second) => async (peer, cancellationToken) =>
    {
        await first(peer, cancellationToken).ConfigureAwait(false);
        await second(peer, cancellationToken).ConfigureAwait(false);
    };

    /// <summary>Adds a service to the options of the client. An interface that is not a contract fails here, where the code names it.</summary>
    private void Register<TContract, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>(
        Func<IServiceProvider, ServiceSource<TContract>> create, bool isScoped)
        where TContract : class
        where TImplementation : class, TContract
    {
        string wireName = ServiceContract<TContract>.Get().Name, client = OptionsName;
        var others = Registrations.Of<ClientServiceRegistration>(services);
        if (others.FirstOrDefault(service => service.Client == client && service.WireName == wireName) is { } other)
        {
            throw new InvalidOperationException($"{typeof(TContract)} cannot be served as '{wireName}': {other.Contract} was added to this client with this " +
                "wire name before.");
        }

        services.AddSingleton(new ClientServiceRegistration(client, typeof(TContract), wireName, provider => FindMistake<TImplementation>(provider, isScoped)));
        Options.Configure<IServiceProvider>((options, provider) => options.AddServiceFrom(create(provider)));
    }

    /// <summary>Describes why an implementation cannot be used; null if it can. Runs when the host starts: services may be registered after it.</summary>
    private string? FindMistake<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TImplementation>(
        IServiceProvider provider, bool isScoped)
    {
        var found = services.LastOrDefault(static descriptor => !descriptor.IsKeyedService && descriptor.ServiceType == typeof(TImplementation));
        if (!isScoped && found is { Lifetime: ServiceLifetime.Scoped })
        {
            return $"{typeof(TImplementation)} is registered as scoped, but AddService uses one instance for all calls: use AddScopedService.";
        }

        if (found?.ImplementationType != typeof(TImplementation)) return null;
        var check = new ConstructorCheck(provider, services);
        if (check.FindMistake(typeof(TImplementation)) is { } mistake) return mistake;
        return !isScoped && check.FindScoped(typeof(TImplementation)) is { } part
            ? $"'{part.Name}' ({TypeName.Of(part.ParameterType)}) is scoped, but AddService uses one instance for all calls: use AddScopedService." : null;
    }

    private void AddUnkeyed<TContract>()
        where TContract : class
    {
        services.Remove(OnlyProxy<TContract>.Descriptor);
        services.AddSingleton(provider => provider.GetRequiredService<MuxChannel>().CreateProxy<TContract>());
    }

    private void AddKeyed<TContract>(string client)
        where TContract : class
    {
        services.AddKeyedSingleton(client, static (provider, key) => provider.GetRequiredKeyedService<MuxChannel>(key).CreateProxy<TContract>());
        services.AddSingleton(new ProxyRegistration(typeof(TContract), client));
        services.TryAdd(OnlyProxy<TContract>.Descriptor); // what the application has registered for the interface stays
    }
}
