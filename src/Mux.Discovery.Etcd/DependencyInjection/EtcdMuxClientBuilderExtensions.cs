using Microsoft.Extensions.Logging;
using Mux.DependencyInjection;
using Mux.Discovery.Etcd;

#pragma warning disable IDE0130 // where users look for what they add to a service collection
namespace Microsoft.Extensions.DependencyInjection;
#pragma warning restore IDE0130

/// <summary>Lets clients of a host find their servers in etcd.</summary>
public static class EtcdMuxClientBuilderExtensions
{
    /// <summary>
    /// Lets the client have an address such as <c>mux+etcd://e1:2379,e2:2379/mux/orders</c>: the members of etcd, and the prefix of the keys that name the
    /// servers. With <c>mux+etcds</c> the members use TLS. The address is that of <c>AddMuxClient</c> or of the configuration. Any other address works as
    /// without this call, so that the configuration decides.
    /// </summary>
    /// <param name="builder">The builder that AddMuxClient returns.</param>
    /// <param name="configure">Sets further options. Runs once, now.</param>
    /// <returns>The builder.</returns>
    public static IMuxClientBuilder UseEtcd(this IMuxClientBuilder builder, Action<EtcdOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var options = new EtcdOptions();
        configure?.Invoke(options);
        return builder.AddSource(EtcdTarget.Schemes, (channel, provider) =>
        {
            if (!EtcdTarget.TryParse(channel.Address, out _, out var error)) throw new FormatException(error);
            return new EtcdEndpointSource(channel.Address, options, provider.GetService<ILoggerFactory>(), channel.TimeProvider);
        });
    }
}
