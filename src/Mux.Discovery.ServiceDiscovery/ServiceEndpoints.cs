using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.ServiceDiscovery;

namespace Mux.Discovery.ServiceDiscovery;

/// <summary>
/// The servers of a service that the providers of Microsoft.Extensions.ServiceDiscovery know. Looks again when a provider signals a change, when a connection
/// fails, and at intervals, because a provider may have no signals, or lose one. Immutable.
/// </summary>
/// <remarks>
/// It asks the providers itself and not the resolver of the library, whose watcher loses signals that come while it resolves (microsoft/aspire#16400), never
/// looks again for a provider without signals if another one has them (dotnet/extensions#7013), and leaves a callback at the configuration for each service
/// that was not asked for 10 s (dotnet/extensions#7673).
/// </remarks>
/// <param name="target">The service.</param>
/// <param name="factories">The providers, in their order of registration.</param>
/// <param name="random">Keeps many clients from asking at the same instant.</param>
internal sealed class ServiceEndpoints(ServiceTarget target, IEnumerable<IServiceEndpointProviderFactory> factories, Random random) : IEndpointSource
{
    public string Name => target.Text;

    public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var providers = new List<IServiceEndpointProvider>();
        try
        {
            AddProviders(providers);
            while (true)
            {
                using var round = new ResolutionRound(refresh);
                foreach (var provider in providers) await provider.PopulateAsync(round, cancellationToken).ConfigureAwait(false);
                yield return ToSet(round.Endpoints);
                await refresh.WaitForPollAsync(random, cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            foreach (var provider in providers) await provider.DisposeAsync().ConfigureAwait(false);
        }
    }

    private void AddProviders(List<IServiceEndpointProvider> providers)
    {
        // As the library does: the provider that takes every name for a host is asked last, wherever it was registered.
        foreach (var factory in factories.OrderBy(IsPassThrough))
        {
            if (factory.TryCreateProvider(target.Query, out var provider)) providers.Add(provider);
        }

        if (providers.Count == 0)
        {
            throw new InvalidOperationException($"No provider of Microsoft.Extensions.ServiceDiscovery resolves '{target.Text}': call AddServiceDiscovery, " +
                "or add a provider.");
        }
    }

    private static bool IsPassThrough(IServiceEndpointProviderFactory factory) => factory.GetType().Name == "PassThroughServiceEndpointProviderFactory";

    private EndpointSet ToSet(IList<ServiceEndpoint> found)
    {
        var set = new EndpointSet(found.Select(ToAddress).OfType<MuxAddress>().Select(address => new MuxEndpoint(address)));
        if (set.Count > 0 || found.Count == 0) return set;
        var unusable = string.Join(", ", found.Select(endpoint => endpoint.EndPoint));
        throw new InvalidOperationException($"'{target.Text}' has no endpoint that a channel can use: {unusable}. Expected the scheme " +
            $"{target.ServerScheme} or {ServiceTarget.TcpScheme}.");
    }

    /// <summary>Null for an endpoint with another protocol.</summary>
    private MuxAddress? ToAddress(ServiceEndpoint endpoint) => endpoint.EndPoint switch
    {
        UriEndPoint { Uri: { } uri } when uri.Scheme == target.ServerScheme || uri.Scheme == ServiceTarget.TcpScheme => ToAddress(uri.Host, uri.Port, endpoint),
        IPEndPoint { AddressFamily: AddressFamily.InterNetworkV6 } ip => ToAddress($"[{ip.Address}]", ip.Port, endpoint),
        IPEndPoint ip => ToAddress($"{ip.Address}", ip.Port, endpoint),
        DnsEndPoint dns => ToAddress(dns.Host, dns.Port, endpoint),
        _ => null,
    };

    private MuxAddress? ToAddress(string host, int port, ServiceEndpoint endpoint)
    {
        if (!MuxAddress.TryParse($"{target.ServerScheme}://{host}:{(port > 0 ? port : target.Port)}", out var address, out _)) return null;
        return target.IsTls && endpoint.Features.Get<IHostNameFeature>() is { HostName: { Length: > 0 } name } ? address.WithServerName(name) : address;
    }
}
