using Microsoft.Extensions.Logging;
using Mux;
using Mux.DependencyInjection;
using Mux.Discovery.Kubernetes;

#pragma warning disable IDE0130 // where users look for what they add to a client of a host
namespace Microsoft.Extensions.DependencyInjection;
#pragma warning restore IDE0130

/// <summary>Connects clients of a host to services of Kubernetes.</summary>
public static class KubernetesClientBuilderExtensions
{
    /// <summary>
    /// Connects this client to the pods of a service, if its address is <c>mux+k8s://service.namespace:port</c>, or
    /// <c>muxs+k8s://service.namespace:port</c> for servers with TLS. A client with another address, for example from the configuration of a development
    /// machine, is not changed, nor is one with <see cref="MuxChannelOptions.Endpoints"/>.
    /// </summary>
    /// <remarks>
    /// With TLS, the certificates of the servers must contain the name <c>service.namespace.svc</c>, unless
    /// <see cref="Mux.Transports.Tls.TlsClientOptions.TargetHost"/> is set.
    /// </remarks>
    /// <param name="builder">The client.</param>
    /// <param name="configure">Sets options of the source; null for the defaults.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentException">At least one option is invalid; the message names all of them.</exception>
    public static IMuxClientBuilder UseKubernetes(this IMuxClientBuilder builder, Action<KubernetesDiscoveryOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var kubernetes = new KubernetesDiscoveryOptions();
        configure?.Invoke(kubernetes);
        kubernetes.ThrowIfInvalid(nameof(configure));
        return builder.AddSource(KubernetesTarget.Schemes, (options, provider) =>
            new KubernetesEndpointSource(options.Address, kubernetes, provider.GetService<ILoggerFactory>(), options.TimeProvider));
    }
}
