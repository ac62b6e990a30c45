using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Mux;
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
    /// Adds the server of this host: it listens when the host starts and drains when it stops. Options come from the configuration section <c>Mux:Server</c>, then from
    /// code, and are validated when the host starts. Called again, it adds to the same server.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="address">See <see cref="MuxOptions.Address"/>; null leaves it to the configuration.</param>
    /// <param name="configure">Sets further options.</param>
    /// <returns>What services are added to.</returns>
    public static IMuxServerBuilder AddMuxServer(this IServiceCollection services, string? address = null, Action<MuxServerOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        var options = services.AddOptions<MuxServerOptions>();
        if (services.All(service => service.ServiceType != typeof(MuxServer)))
        {
            services.AddSingleton<IConfigureOptions<MuxServerOptions>, ServerOptionsConfiguration>();
            services.AddSingleton<IValidateOptions<MuxServerOptions>, ServerOptionsValidation>();
            options.ValidateOnStart();
            services.AddSingleton(MuxServerFactory.Create);
            services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, MuxServerService>());
        }

        if (address is not null) options.Configure(server => server.Address = address);
        if (configure is not null) options.Configure(configure);
        return new MuxServerBuilder(services);
    }

    /// <summary>Adds the one client of a host that has one, without a name: its channel and proxies are injected as they are. Its configuration section is <c>Mux:Clients:Default</c>.</summary>
    /// <inheritdoc cref="AddMuxClient(IServiceCollection, string, string?, Action{MuxChannelOptions}?)"/>
    public static IMuxClientBuilder AddMuxClient(this IServiceCollection services, string? address = null, Action<MuxChannelOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        AddClient(services, Options.Options.DefaultName, address, configure);
        services.TryAddSingleton(provider => ChannelFactory.Create(provider, Options.Options.DefaultName));
        return new MuxClientBuilder(services, name: null);
    }

    /// <summary>
    /// Adds a client. Its name is the name of its options, the key of its channel and proxies (<c>[FromKeyedServices("name")]</c>), the tag of its metrics, and its
    /// configuration section: <c>Mux:Clients:name</c>. Nothing is connected before the first call.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="name">Any text but the empty one.</param>
    /// <param name="address">See <see cref="MuxOptions.Address"/>; null leaves it to the configuration.</param>
    /// <param name="configure">Sets further options; wins over the configuration.</param>
    /// <returns>What proxies are added to.</returns>
    public static IMuxClientBuilder AddMuxClient(this IServiceCollection services, string name, string? address, Action<MuxChannelOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentException.ThrowIfNullOrEmpty(name);
        AddClient(services, name, address, configure);
        services.TryAddKeyedSingleton(name, static (provider, key) => ChannelFactory.Create(provider, (string)key!));
        return new MuxClientBuilder(services, name);
    }

    private static void AddClient(IServiceCollection services, string name, string? address, Action<MuxChannelOptions>? configure)
    {
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IConfigureOptions<MuxChannelOptions>, ChannelOptionsConfiguration>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<MuxChannelOptions>, ChannelOptionsValidation>());
        var options = services.AddOptions<MuxChannelOptions>(name).ValidateOnStart();
        if (address is not null) options.Configure(channel => channel.Address = address);
        if (configure is not null) options.Configure(configure);
    }
}
