using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Mux;
using Mux.DependencyInjection;
using Mux.Discovery;
using Mux.Discovery.Etcd;

#pragma warning disable IDE0130 // where users look for what they add to a service collection
namespace Microsoft.Extensions.DependencyInjection;
#pragma warning restore IDE0130

/// <summary>Registers the server of a host in etcd.</summary>
public static class EtcdMuxServerBuilderExtensions
{
    /// <summary>
    /// Registers the server in etcd when the host has started, under a lease that the server renews. Withdraws it when the host begins to stop, before the
    /// server drains.
    /// </summary>
    /// <param name="builder">The builder that AddMuxServer returns.</param>
    /// <param name="target">The members of etcd and the prefix of the keys, as clients name them: <c>mux+etcd://e1:2379,e2:2379/mux/orders</c>, or
    /// <c>mux+etcds</c> with TLS. The port is 2379 by default.</param>
    /// <param name="advertise">The address at which clients reach the server, such as <c>mux://10.0.0.7:7070</c>. Port 0 stands for the port at which the
    /// server listens.</param>
    /// <param name="configure">Sets further options. Runs once, now.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentException">An address or an option is invalid; the message says which part is wrong and what is allowed.</exception>
    public static IMuxServerBuilder RegisterInEtcd(
        this IMuxServerBuilder builder, string target, string advertise, Action<EtcdRegistrationOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(advertise);
        if (!MuxAddress.TryParse(advertise, out var address, out var error)) throw new ArgumentException(error, nameof(advertise));
        return builder.RegisterInEtcd(target, new MuxEndpoint(address), configure);
    }

    /// <summary>Registers the server with a zone, a weight or a name of its own.</summary>
    /// <param name="builder">The builder that AddMuxServer returns.</param>
    /// <param name="target">The members of etcd and the prefix of the keys.</param>
    /// <param name="advertise">The server as clients reach it. Its instance is the last part of the key: a name that no other running server has. By default it
    /// is the name of the machine and a random number.</param>
    /// <param name="configure">Sets further options. Runs once, now.</param>
    /// <inheritdoc cref="RegisterInEtcd(IMuxServerBuilder, string, string, Action{EtcdRegistrationOptions}?)"/>
    public static IMuxServerBuilder RegisterInEtcd(
        this IMuxServerBuilder builder, string target, MuxEndpoint advertise, Action<EtcdRegistrationOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(advertise);
        if (EndpointAddress.FindUnreachable(advertise.Address) is { } mistake) throw new ArgumentException(mistake, nameof(advertise));
        if (advertise.Instance is { } instance && !InstanceName.IsAllowed(instance))
            throw new ArgumentException($"The instance '{instance}' is not allowed: expected {InstanceName.Allowed}.", nameof(advertise));
        var options = new EtcdRegistrationOptions();
        configure?.Invoke(options);
        options.ThrowIfInvalid(target); // mistakes fail here, where the code names them
        return builder.AddRegistry(advertise, provider => new EtcdEndpointRegistry(target, options, provider.GetService<ILoggerFactory>(),
            provider.GetRequiredService<IOptions<MuxServerOptions>>().Value.TimeProvider));
    }
}
