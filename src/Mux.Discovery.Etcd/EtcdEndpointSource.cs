using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Discovery.Etcd.Protocol;

namespace Mux.Discovery.Etcd;

/// <summary>
/// Reports the servers that are registered under a prefix of etcd v3: each key is a server, and its value is JSON such as
/// <c>{"address":"mux://10.0.0.7:7070","zone":"eu-1a","weight":100}</c>. <see cref="EtcdEndpointRegistry"/> writes such keys.
/// </summary>
/// <remarks>
/// <para>The source lists the keys and watches them from that state on. It lists them again every 5 minutes, when connections of the channel fail, and after
/// each interruption, because versions of etcd have lost events of watches. Keys that cannot be read are skipped and logged once.</para>
/// <para>If the first list fails, the watch throws. Later it keeps the last set, tries again every 1 to 3 s, and logs <c>EtcdWatchLost</c> and
/// <c>EtcdWatchRestored</c>. Safe for concurrent use.</para>
/// </remarks>
public sealed class EtcdEndpointSource : IEndpointSource
{
    private readonly EtcdCluster _cluster;
    private readonly ILogger _logger;

    /// <summary>Creates a source. It connects when it is watched.</summary>
    /// <param name="target">The members of etcd and the prefix of the keys: <c>mux+etcd://e1:2379,e2:2379/mux/orders</c>, or <c>mux+etcds</c> with TLS. The
    /// port is 2379 by default.</param>
    /// <param name="options">Further options, or null.</param>
    /// <param name="loggers">Where the source logs, in the category <c>Mux.Discovery.Etcd</c>; null to log nothing.</param>
    /// <param name="time">Measures intervals and time limits; null for the clock of the system.</param>
    /// <exception cref="ArgumentException">The target or an option is invalid; the message names all of them.</exception>
    public EtcdEndpointSource(string target, EtcdOptions? options = null, ILoggerFactory? loggers = null, TimeProvider? time = null)
    {
        _cluster = (options ?? new EtcdOptions()).ToCluster(target, time);
        _logger = (loggers ?? NullLoggerFactory.Instance).CreateLogger("Mux.Discovery.Etcd");
    }

    /// <inheritdoc/>
    public string Name => _cluster.Name;

    /// <inheritdoc/>
    public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(refresh);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var sets = Channel.CreateBounded<EndpointSet>(new BoundedChannelOptions(1)
        {
            FullMode = BoundedChannelFullMode.DropOldest, // the newest set counts
            SingleReader = true,
            SingleWriter = true,
        });
        using var client = new EtcdClient(_cluster);
        var watch = new EndpointWatch(_cluster, client, refresh, sets.Writer, _logger);
        var run = watch.RunAsync(end.Token);
        try
        {
            await foreach (var set in sets.Reader.ReadAllAsync(cancellationToken).ConfigureAwait(false)) yield return set;
        }
        finally
        {
            await end.CancelAsync().ConfigureAwait(false);
            await run.ConfigureAwait(false);
        }
    }
}
