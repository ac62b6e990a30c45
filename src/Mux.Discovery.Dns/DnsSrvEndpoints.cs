using System.Runtime.CompilerServices;

namespace Mux.Discovery.Dns;

/// <summary>
/// The servers of a service that DNS describes with SRV records (RFC 2782): <c>mux+srv://_rpc._tcp.orders.prod</c>, or <c>muxs+srv://...</c> for servers with
/// TLS. Asks again when the records expire, after 1 to 15 s, and when a connection fails. Immutable; channels may share it.
/// </summary>
/// <remarks>
/// <para>Servers of the lowest priority get the calls, in proportion to their weights. Servers of all higher priorities are reported as leaving
/// (<see cref="MuxEndpoint.IsLeaving"/>): they get calls only if no other can take them. If no record has a weight, all servers have the same. A target with
/// several addresses is as many endpoints, which share its weight.</para>
/// <para>With TLS, certificates must contain the name without the labels of service and protocol, such as <c>orders.prod</c>. The hosts in the records do not
/// count: an attacker that forges a record chooses them. <see cref="Transports.Tls.TlsClientOptions.TargetHost"/> sets another name.</para>
/// <para>A name without SRV records, records of which no target has an address, or a name server that does not answer, fails the watch: the channel keeps its
/// endpoints. A record with the target <c>.</c> says that there is no service: the set is then empty.</para>
/// </remarks>
public sealed class DnsSrvEndpoints : IEndpointSource
{
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(15);

    private readonly SrvTarget _target;
    private readonly MuxDnsSrvOptions _options;

    /// <summary>Creates a source.</summary>
    /// <param name="address">The address, such as <c>mux+srv://_rpc._tcp.orders.prod</c>. A complete name: search domains are not used.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <exception cref="FormatException">The address is not valid; the message says what is allowed.</exception>
    /// <exception cref="ArgumentException">At least one option is invalid; the message names all of them.</exception>
    public DnsSrvEndpoints(string address, MuxDnsSrvOptions? options = null)
        : this(SrvTarget.TryParse(address, out var target, out var error) ? target : throw new FormatException(error), options ?? new MuxDnsSrvOptions())
    {
    }

    internal DnsSrvEndpoints(SrvTarget target, MuxDnsSrvOptions options)
    {
        options.ThrowIfInvalid(nameof(options));
        _target = target;
        _options = options;
    }

    /// <inheritdoc/>
    public string Name => _target.Text;

    /// <inheritdoc/>
    public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(refresh);
        var lookup = new SrvLookup(_options); // new in each watch: the name servers of the system may have changed
        while (true)
        {
            var answer = await lookup.RunAsync(_target.Name, cancellationToken).ConfigureAwait(false);
            yield return SrvEndpoints.Of(answer, _target);
            var pause = answer.TimeToLive > s_longest ? s_longest : answer.TimeToLive;
            if (pause < EndpointRefresh.MinInterval) pause = EndpointRefresh.MinInterval;
            await refresh.WaitForPollAsync(pause, cancellationToken).ConfigureAwait(false);
        }
    }
}
