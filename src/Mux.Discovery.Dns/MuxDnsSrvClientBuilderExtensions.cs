using Mux;
using Mux.DependencyInjection;
using Mux.Discovery.Dns;

#pragma warning disable IDE0130 // where users look for what they add to a client of a host
namespace Microsoft.Extensions.DependencyInjection;
#pragma warning restore IDE0130

/// <summary>Connects clients of a host to the servers that SRV records name.</summary>
public static class MuxDnsSrvClientBuilderExtensions
{
    /// <summary>
    /// Looks up the servers of this client, if its address is <c>mux+srv://_service._protocol.domain</c>, or <c>muxs+srv://...</c> for servers with TLS. A
    /// client with another address, for example from the configuration of a development machine, is not changed, nor is one with
    /// <see cref="MuxChannelOptions.Endpoints"/>.
    /// </summary>
    /// <param name="builder">The client.</param>
    /// <param name="configure">Sets options of the lookups.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentException">At least one option is invalid; the message names all of them.</exception>
    public static IMuxClientBuilder UseDnsSrv(this IMuxClientBuilder builder, Action<MuxDnsSrvOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var lookups = new MuxDnsSrvOptions();
        configure?.Invoke(lookups);
        lookups.ThrowIfInvalid(nameof(configure));
        return builder.AddSource(SrvTarget.Schemes, (options, _) => new DnsSrvEndpoints(options.Address, lookups));
    }
}
