using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Mux;
using Mux.Backplanes;
using Mux.Configuration;
using Mux.DependencyInjection;
using Mux.Hosting;

#pragma warning disable IDE0130 // where users look for what they add to a service collection
namespace Microsoft.Extensions.DependencyInjection;
#pragma warning restore IDE0130

/// <summary>Adds Mux servers and clients to a generic host.</summary>
public static class MuxServiceCollectionExtensions
{
    /// <summary>
    /// Adds the server of this host. It listens when the host starts and drains when the host stops. Options come from the configuration section
    /// <c>Mux:Server</c>; options in code override them. They are validated when the host starts. You can call this method several times: all calls configure
    /// the same server, and only one of them needs the address.
    /// </summary>
    /// <remarks>
    /// If neither the configuration nor code sets the address, a server with endpoints of ASP.NET Core (<c>UseMux</c>, <c>UseMuxHttps</c>,
    /// <c>MapMuxWebSocket</c>) does not listen itself. These may be called while the host starts: in <c>Startup.Configure</c>, and for endpoints of Kestrel's
    /// configuration or its endpoint defaults. Any other server listens at <c>mux://127.0.0.1:7070</c>, and logs the warning <c>ServerAddressDefault</c> if the
    /// configuration has no section <c>Mux:Server</c>. In an application with a web host it then listens when all hosted services have started.
    /// </remarks>
    /// <param name="services">The services of the host.</param>
    /// <param name="address">See <see cref="MuxOptions.Address"/>; null to use the address in the configuration. Empty for a server that does not listen
    /// itself.</param>
    /// <param name="configure">Sets further options.</param>
    /// <returns>A builder to which services are added.</returns>
    /// <exception cref="InvalidOperationException">The server was added with another address before.</exception>
    public static IMuxServerBuilder AddMuxServer(this IServiceCollection services, string? address = null, Action<MuxServerOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        Registrations.AddServer(services, address);
        AddFirst(services, ServiceDescriptor.Singleton<IConfigureOptions<MuxServerOptions>, ServerOptionsConfiguration>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<MuxServerOptions>, ServerOptionsValidation>());
        ValidateSectionsOnStart(services);
        services.TryAddSingleton<DefaultAddress>();
        services.TryAddSingleton<MuxServerEndpoints>();
        services.TryAddSingleton<MuxPeers>(); // before the server, whose services may need it
        services.TryAddSingleton(MuxServerFactory.Create);
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, MuxServerService>());
        var options = services.AddOptions<MuxServerOptions>().ValidateOnStart();
        if (address is not null) options.Configure(server => server.Address = address);
        if (configure is not null) options.Configure(configure);
        return new MuxServerBuilder(services);
    }

    /// <summary>
    /// Adds topics, a singleton <see cref="MuxTopics{TKey, TItem}"/>: services return subscriptions to them, and any code of the host publishes.
    /// </summary>
    /// <typeparam name="TKey">The key of a topic.</typeparam>
    /// <typeparam name="TItem">An item.</typeparam>
    /// <param name="services">The services of the host.</param>
    /// <param name="configure">Sets options. An invalid one throws an <see cref="ArgumentException"/> when the topics are first asked for. Topics with
    /// <see cref="MuxTopicOptions.ShareAs{TContract}"/> take the <see cref="MuxBackplane"/> of the host, unless one is set.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> is null.</exception>
    public static IServiceCollection AddMuxTopics<TKey, TItem>(this IServiceCollection services, Action<MuxTopicOptions>? configure = null)
        where TKey : notnull
    {
        ArgumentNullException.ThrowIfNull(services);
        var options = new MuxTopicOptions();
        configure?.Invoke(options);
        services.TryAddSingleton(provider =>
        {
            if (options.IsShared) options.Backplane ??= provider.GetService<MuxBackplane>();
            return new MuxTopics<TKey, TItem>(options, provider.GetService<IMeterFactory>());
        });
        return services;
    }

    /// <summary>Adds a group, a singleton <see cref="MuxGroup{TService}"/>: services add their callers to it, and any code of the host calls them.</summary>
    /// <typeparam name="TService">The contract that the members serve.</typeparam>
    /// <param name="services">The services of the host.</param>
    /// <param name="configure">Sets options. An invalid one throws an <see cref="ArgumentException"/> when the group is first asked for. A group with
    /// <see cref="MuxGroupOptions.IsShared"/> takes the <see cref="MuxBackplane"/> of the host, unless one is set.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> is null.</exception>
    public static IServiceCollection AddMuxGroup<TService>(this IServiceCollection services, Action<MuxGroupOptions>? configure = null)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(services);
        var options = new MuxGroupOptions();
        configure?.Invoke(options);
        services.TryAddSingleton(provider => new MuxGroup<TService>(WithBackplane(options, provider), provider.GetService<IMeterFactory>()));
        return services;
    }

    /// <summary>Adds groups by key, a singleton <see cref="MuxGroups{TKey, TService}"/>, see <see cref="AddMuxGroup"/>.</summary>
    /// <typeparam name="TKey">The key of a group.</typeparam>
    /// <typeparam name="TService">The contract that the members serve.</typeparam>
    /// <param name="services">The services of the host.</param>
    /// <param name="configure">Sets options. An invalid one throws an <see cref="ArgumentException"/> when the groups are first asked for.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> is null.</exception>
    public static IServiceCollection AddMuxGroups<TKey, TService>(this IServiceCollection services, Action<MuxGroupOptions>? configure = null)
        where TKey : notnull
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(services);
        var options = new MuxGroupOptions();
        configure?.Invoke(options);
        services.TryAddSingleton(provider => new MuxGroups<TKey, TService>(WithBackplane(options, provider), provider.GetService<IMeterFactory>()));
        return services;
    }

    /// <summary>
    /// Adds a singleton <see cref="MuxPeers{TService}"/>: code of the host calls clients by the name of their user or by their id, at all servers if it is
    /// shared. It is made with the server of the host, so that the clients of this server can be reached even if no code here asks for it.
    /// </summary>
    /// <typeparam name="TService">The contract that the clients serve.</typeparam>
    /// <param name="services">The services of the host.</param>
    /// <param name="configure">Sets options. An invalid one throws an <see cref="ArgumentException"/> when the host starts. With
    /// <see cref="MuxGroupOptions.IsShared"/> it takes the <see cref="MuxBackplane"/> of the host, unless one is set.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> is null.</exception>
    public static IServiceCollection AddMuxPeers<TService>(this IServiceCollection services, Action<MuxGroupOptions>? configure = null)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(services);
        var options = new MuxGroupOptions();
        configure?.Invoke(options);
        services.TryAddSingleton<MuxPeers>();
        services.TryAddSingleton(provider =>
            new MuxPeers<TService>(provider.GetRequiredService<MuxPeers>(), WithBackplane(options, provider), provider.GetService<IMeterFactory>()));
        services.AddSingleton(new ServerInitializer(static (provider, _) => provider.GetRequiredService<MuxPeers<TService>>()));
        return services;
    }

    /// <summary>
    /// Adds the client without a name. Its channel and proxies are injected without a key. Its configuration section is <c>Mux:Clients:Default</c>. The client
    /// connects at the first call.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="address">See <see cref="MuxOptions.Address"/>; overrides the configuration.</param>
    /// <param name="configure">Sets further options; overrides the configuration.</param>
    /// <returns>A builder to which proxies are added.</returns>
    /// <exception cref="ArgumentException">The address has no scheme, so it looks like a name.</exception>
    /// <exception cref="InvalidOperationException">The client without a name was added with another address before.</exception>
    public static IMuxClientBuilder AddMuxClient(this IServiceCollection services, string address, Action<MuxChannelOptions>? configure = null)
    {
        ThrowIfName(address);
        return AddUnnamed(services, address, configure);
    }

    /// <summary>
    /// Adds the client without a name. Its address is in the configuration section <c>Mux:Clients:Default</c>, or <paramref name="configure"/> sets it. Without
    /// either it connects to <c>mux://127.0.0.1:7070</c>, and the host logs the warning <c>ClientAddressDefault</c> when it starts.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="configure">Sets further options; overrides the configuration.</param>
    /// <returns>A builder to which proxies are added.</returns>
    public static IMuxClientBuilder AddMuxClient(this IServiceCollection services, Action<MuxChannelOptions>? configure = null) =>
        AddUnnamed(services, null, configure);

    /// <summary>
    /// Adds a client with a name and an address, see <see cref="AddKeyedMuxClient(IServiceCollection, string, Action{MuxChannelOptions})"/>.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="name">Any text that is not empty.</param>
    /// <param name="address">See <see cref="MuxOptions.Address"/>; overrides the configuration.</param>
    /// <param name="configure">Sets further options; overrides the configuration.</param>
    /// <returns>A builder to which proxies are added.</returns>
    /// <exception cref="ArgumentException">The name is empty, or the address has no scheme, so it looks like a name.</exception>
    public static IMuxClientBuilder AddKeyedMuxClient(
        this IServiceCollection services, string name, string address, Action<MuxChannelOptions>? configure = null)
    {
        ThrowIfName(address);
        return AddNamed(services, name, address, configure);
    }

    /// <summary>
    /// Adds a client with a name. Its address is in the configuration, or <paramref name="configure"/> sets it; without an address the host does not start. The
    /// name identifies the client everywhere: as the name of its options, the key of its channel and proxies (<c>[FromKeyedServices("name")]</c>), the tag of
    /// its metrics, and its configuration section <c>Mux:Clients:name</c>. The client connects at the first call.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="name">Any text that is not empty.</param>
    /// <param name="configure">Sets further options; overrides the configuration.</param>
    /// <returns>A builder to which proxies are added.</returns>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    public static IMuxClientBuilder AddKeyedMuxClient(this IServiceCollection services, string name, Action<MuxChannelOptions>? configure = null) =>
        AddNamed(services, name, null, configure);

    /// <summary>Throws if a name is passed as an address. Otherwise the host would report it when it starts, with a message about addresses.</summary>
    private static void ThrowIfName(string address)
    {
        ArgumentNullException.ThrowIfNull(address);
        if (address.Contains("://", StringComparison.Ordinal)) return;
        throw new ArgumentException(
            $"'{address}' is not an address: expected mux://host:port, muxs://host:port, mux+unix:///path, mux+pipe://name or mux+ws://host:port/path. To " +
                $"name a client use AddKeyedMuxClient(name, address), or AddKeyedMuxClient(name) if its address is in the configuration.",
            nameof(address));
    }

    private static MuxGroupOptions WithBackplane(MuxGroupOptions options, IServiceProvider provider)
    {
        if (options.IsShared) options.Backplane ??= provider.GetService<MuxBackplane>();
        return options;
    }

    private static MuxClientBuilder AddUnnamed(IServiceCollection services, string? address, Action<MuxChannelOptions>? configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        AddClient(services, Options.Options.DefaultName, address, configure);
        services.TryAddSingleton(provider => CreateChannel(provider, Options.Options.DefaultName));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, ClientAddressNotice>());
        return new MuxClientBuilder(services, name: null);
    }

    private static MuxClientBuilder AddNamed(IServiceCollection services, string name, string? address, Action<MuxChannelOptions>? configure)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(name);
        AddClient(services, name, address, configure);
        services.TryAddKeyedSingleton(name, static (provider, key) => CreateChannel(provider, (string)key!));
        return new MuxClientBuilder(services, name);
    }

    private static void AddClient(IServiceCollection services, string name, string? address, Action<MuxChannelOptions>? configure)
    {
        Registrations.AddClient(services, name, address);
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, ClientWarmUp>());
        services.TryAddSingleton<DefaultAddress>();
        AddFirst(services, ServiceDescriptor.Singleton<IConfigureOptions<MuxChannelOptions>, ChannelOptionsConfiguration>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<MuxChannelOptions>, ChannelOptionsValidation>());
        ValidateSectionsOnStart(services);
        var options = services.AddOptions<MuxChannelOptions>(name).ValidateOnStart();
        if (address is not null) options.Configure(channel => (channel.Address, channel.Endpoints) = (address, null)); // also over a list in the configuration
        if (configure is not null) options.Configure(configure);
    }

    /// <summary>Adds the configuration as the first source: options are configured in the order of registration, and code must override it.</summary>
    private static void AddFirst(IServiceCollection services, ServiceDescriptor configuration)
    {
        if (services.All(service => service.IsKeyedService || service.ServiceType != configuration.ServiceType
            || service.ImplementationType != configuration.ImplementationType))
        {
            services.Insert(0, configuration);
        }
    }

    private static void ValidateSectionsOnStart(IServiceCollection services)
    {
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<HostSections>, HostSectionsValidation>());
        services.AddOptions<HostSections>().ValidateOnStart();
    }

    private static MuxChannel CreateChannel(IServiceProvider provider, string name)
    {
        SchemeSource.ThrowIfCreating(name, provider);
        var options = provider.GetRequiredService<IOptionsMonitor<MuxChannelOptions>>().Get(name);
        options.Filters.Services ??= provider;
        return MuxChannel.Create(options, provider.GetService<ILoggerFactory>());
    }
}
