using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Mux.Configuration;
using Mux.Contracts;
using Mux.Discovery;
using Mux.Filters;

namespace Mux.DependencyInjection;

/// <summary>Registers proxies and sources of one client.</summary>
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
        ArgumentNullException.ThrowIfNull(create);
        services.AddOptions<MuxChannelOptions>(name).Configure<IServiceProvider>((options, provider) => options.Filters.Add(create(provider)));
        return this;
    }

    public IMuxClientBuilder AddFilter<TContract>(Func<IServiceProvider, MuxFilter> create, string? method = null)
        where TContract : class
    {
        ArgumentNullException.ThrowIfNull(create);
        _ = ServiceContract<TContract>.Get(); // an interface that is not a contract fails here, where the code names it
        services.AddOptions<MuxChannelOptions>(name).Configure<IServiceProvider>(
            (options, provider) => options.Filters.Add<TContract>(create(provider), method));
        return this;
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
        bool isOnly = Registrations.Of<ProxyRegistration>(services).All(proxy => proxy.Contract != typeof(TContract) || proxy.Client == client);
        services.AddSingleton(new ProxyRegistration(typeof(TContract), client));
        if (isOnly) services.TryAdd(OnlyProxy<TContract>.Descriptor); // what the application has registered for the interface stays
        else services.Remove(OnlyProxy<TContract>.Descriptor);
    }
}
