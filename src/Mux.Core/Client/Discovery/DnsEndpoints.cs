using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using Mux.Discovery;

namespace Mux.Client;

/// <summary>
/// Servers whose addresses DNS has under one name (A and AAAA), such as the pods of a headless service of Kubernetes. Asks the resolver of the system, which
/// does not tell how long an answer is valid: so it asks at intervals and when a connection has failed. A record that is cached for longer
/// costs no query: that resolver answers. Immutable.
/// </summary>
/// <param name="name">The address of the channel.</param>
/// <param name="host">The name to look up.</param>
/// <param name="port">The port of all servers.</param>
/// <param name="isTls">True if the servers speak TLS. Their certificates must then contain the name.</param>
/// <param name="lookUp">Looks up a name; throws <see cref="SocketException"/> if it has no address.</param>
/// <param name="random">Keeps many clients from asking at the same instant.</param>
internal sealed class DnsEndpoints(
    string name, string host, int port, bool isTls, Func<string, CancellationToken, Task<IPAddress[]>> lookUp, Random random) : IEndpointSource
{
    public string Name => name;

    public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        while (true)
        {
            yield return ToSet(await LookUpAsync(cancellationToken).ConfigureAwait(false));
            await refresh.WaitForPollAsync(random, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task<IPAddress[]> LookUpAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await lookUp(host, cancellationToken).ConfigureAwait(false);
        }
        catch (SocketException error)
        {
            throw new IOException($"The name {host} cannot be looked up: {error.Message.TrimEnd('.')}.", error);
        }
    }

    private EndpointSet ToSet(IPAddress[] found) => new(found.Select(ToAddress).OfType<MuxAddress>().Select(address => new MuxEndpoint(address)));

    /// <summary>Null for an address that no text of an address can name, such as that of a link without its number.</summary>
    private MuxAddress? ToAddress(IPAddress ip)
    {
        var place = new IPEndPoint(ip.IsIPv4MappedToIPv6 ? ip.MapToIPv4() : ip, port);
        if (!MuxAddress.TryParse($"{(isTls ? MuxAddress.TlsScheme : MuxAddress.TcpScheme)}://{place}", out var address, out _)) return null;
        return isTls ? address.WithServerName(host.TrimEnd('.')) : address; // a certificate names no root: orders.prod, not orders.prod.
    }
}
