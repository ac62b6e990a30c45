using System.Runtime.CompilerServices;
using k8s;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Discovery.Kubernetes.Api;
using Mux.Discovery.Kubernetes.Slices;

namespace Mux.Discovery.Kubernetes;

/// <summary>Reports the pods behind a service of Kubernetes: it lists the EndpointSlices of the service, and watches them for changes.</summary>
/// <remarks>
/// <para>Servers need no registration: Kubernetes lists a pod while its readiness probe succeeds. A pod that terminates and still serves is reported as
/// leaving. A pod that is not ready is not reported. The zone of a pod is that of its node.</para>
/// <para>An endpoint with an address or a port that cannot be used is skipped and logged.</para>
/// <para>With TLS, the certificates of the servers must contain the name <c>service.namespace.svc</c> (<see cref="MuxAddress.ServerName"/>).</para>
/// <para>The account of the client needs the verbs <c>list</c> and <c>watch</c> for <c>endpointslices</c> of the API group <c>discovery.k8s.io</c> in the
/// namespace of the service.</para>
/// <para>Safe for concurrent use: each watch has its own connection to the API server.</para>
/// </remarks>
public sealed class KubernetesEndpointSource : IEndpointSource
{
    // Lists follow each other, and so do watches, at most once in this time, whatever the API server answers.
    private static readonly TimeSpan s_minInterval = TimeSpan.FromSeconds(1);

    private readonly KubernetesTarget _target;
    private readonly string[] _addressTypes;
    private readonly Func<KubernetesClientConfiguration> _configuration;
    private readonly ILogger _logger;
    private readonly TimeProvider _time;

    /// <summary>Creates a source.</summary>
    /// <param name="target">
    /// <c>mux+k8s://service.namespace:port</c>, or <c>muxs+k8s://service.namespace:port</c> for servers with TLS. The port is the name of a port of the
    /// service, or the number at which the pods listen (the target port). The namespace may be omitted: it is then that of the service account, or of the
    /// kubeconfig file.
    /// </param>
    /// <param name="options">Null for the defaults.</param>
    /// <param name="loggers">Where the source logs, in the category <c>Mux.Discovery.Kubernetes</c>; null to log nothing.</param>
    /// <param name="timeProvider">Null for the clock of the system.</param>
    /// <exception cref="FormatException">The target is invalid; the message says which part is wrong and what is allowed.</exception>
    /// <exception cref="ArgumentException">An option is invalid.</exception>
    public KubernetesEndpointSource(
        string target, KubernetesDiscoveryOptions? options = null, ILoggerFactory? loggers = null, TimeProvider? timeProvider = null)
        : this(KubernetesTarget.Parse(target), options ?? new KubernetesDiscoveryOptions(), timeProvider ?? TimeProvider.System, ServiceAccount.OfThisPod(),
            loggers)
    {
    }

    internal KubernetesEndpointSource(
        KubernetesTarget target, KubernetesDiscoveryOptions options, TimeProvider time, ServiceAccount account, ILoggerFactory? loggers = null)
    {
        _logger = (loggers ?? NullLoggerFactory.Instance).CreateLogger("Mux.Discovery.Kubernetes");
        options.ThrowIfInvalid(nameof(options));
        _target = target;
        _addressTypes = options.AddressFamily switch
        {
            KubernetesAddressFamily.IPv4 => [SliceTable.IPv4],
            KubernetesAddressFamily.IPv6 => [SliceTable.IPv6],
            _ => [SliceTable.IPv4, SliceTable.IPv6],
        };
        _configuration = options.Configuration ?? (() => ClusterConfiguration.Find(account, time));
        _time = time;
    }

    /// <summary>Gets the target, such as <c>mux+k8s://orders.prod:rpc</c>.</summary>
    public string Name => _target.ToString();

    /// <inheritdoc/>
    /// <exception cref="IOException">The API server cannot be reached, or refuses; the message says why. If the account lacks a right, it names the Role that
    /// grants it.</exception>
    /// <exception cref="InvalidOperationException">There is no configuration of a cluster, or the service does not have the port or the address
    /// family.</exception>
    /// <exception cref="InvalidDataException">The certificate authority of the pod is empty, or the service has pods, and none of them can be used.</exception>
    /// <exception cref="NotSupportedException">The service has EndpointSlices with host names.</exception>
    public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        // Loading may run a credential plug-in of a kubeconfig file, which blocks its thread for up to 2 minutes.
        var configuration = await Task.Run(_configuration, cancellationToken).ConfigureAwait(false);
        using var server = new ApiServer(configuration, _target.Service, _target.Namespace, _time);
        var certificateName = _target.IsTls ? $"{server.Service}.svc" : null; // as issuers in a cluster use it; certificates name no IP addresses of pods
        var table = new SliceTable(server.Service, _target.Scheme, certificateName, _target.Port, _addressTypes);
        while (true)
        {
            long listedAt = _time.GetTimestamp();
            var version = await server.ListAsync(table, cancellationToken).ConfigureAwait(false);
            yield return SetOf(table, server.Service);
            string? outdated = null;
            while (outdated is null)
            {
                long openedAt = _time.GetTimestamp();
                using (var watch = await server.WatchAsync(version, cancellationToken).ConfigureAwait(false))
                {
                    while (await watch.ReadAsync(table).ConfigureAwait(false)) yield return SetOf(table, server.Service);
                    version = watch.Version;
                    outdated = watch.Outdated;
                }

                var early = s_minInterval - _time.GetElapsedTime(openedAt);
                if (outdated is null && early > TimeSpan.Zero) await Task.Delay(early, _time, cancellationToken).ConfigureAwait(false);
            }

            // A fresh list that is outdated at once would be again: then the channel's growing pause is better than a list each second.
            if (_time.GetElapsedTime(listedAt) < s_minInterval)
            {
                throw new IOException($"{server.Name} ended the watch of the EndpointSlices of {server.Service} at once: {outdated}.");
            }
        }
    }

    private EndpointSet SetOf(SliceTable table, string service)
    {
        try
        {
            return table.ToSet();
        }
        finally
        {
            foreach (var (slice, reason) in table.TakeSkipped()) KubernetesLog.EndpointsSkipped(_logger, slice, service, reason);
        }
    }
}
