using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using Mux.Discovery;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// What the text of <see cref="MuxOptions.Address"/> means for a channel: one address, a list of addresses, or a name that a discovery system knows. Immutable.
/// </summary>
internal sealed class EndpointTarget
{
    private const string DnsScheme = "mux+dns";
    private const string SecureDnsScheme = "muxs+dns";

    private readonly Func<IEndpointSource>? _createSource;

    private EndpointTarget(string text, IReadOnlyList<MuxAddress> addresses, bool isTls, Func<IEndpointSource>? createSource)
    {
        Text = text;
        Addresses = addresses;
        IsTls = isTls;
        _createSource = createSource;
    }

    /// <summary>The text. Contains no secret.</summary>
    public string Text { get; }

    /// <summary>The addresses in the text: at least two of a list, one of an address, none of a name.</summary>
    public IReadOnlyList<MuxAddress> Addresses { get; }

    /// <summary>The address of a channel with one server, or null.</summary>
    public MuxAddress? Single => Addresses is [var address] ? address : null;

    /// <summary>True if the text says that the servers have <c>muxs</c> addresses. A discovery system may know such servers even if this is false.</summary>
    public bool IsTls { get; }

    /// <summary>True if the text says that another machine is reached without encryption. A discovery system may find one even if this is false.</summary>
    public bool IsPlaintextOnNetwork => Addresses.Count == 0
        ? !IsTls && MissingPackage is null
        : Addresses.Any(static address => address.Scheme is MuxAddress.TcpScheme or MuxAddress.WebSocketScheme && !SocketEndPoints.IsLoopback(address));

    /// <summary>What to do to use the scheme, if a package serves it; or null.</summary>
    public string? MissingPackage { get; private init; }

    /// <summary>Creates a source of the endpoints. Null for one address, and for a scheme that a package serves.</summary>
    public IEndpointSource? CreateSource() => _createSource?.Invoke();

    /// <exception cref="FormatException">The text is not a target; the message says which part is wrong and what is allowed.</exception>
    public static EndpointTarget Parse(string text) => TryParse(text, out var target, out var error) ? target : throw new FormatException(error);

    /// <summary>Parses a target. If it is not valid, <paramref name="error"/> says which part is wrong and what is allowed.</summary>
    public static bool TryParse(string? text, [NotNullWhen(true)] out EndpointTarget? target, [NotNullWhen(false)] out string? error)
    {
        target = null;
        error = null;
        int schemeEnd = text?.IndexOf("://", StringComparison.Ordinal) ?? -1;
        var scheme = schemeEnd < 0 ? string.Empty : text![..schemeEnd].ToLowerInvariant(); // as MuxAddress reads them
        var rest = schemeEnd < 0 ? string.Empty : text![(schemeEnd + 3)..];
        if (scheme is DnsScheme or SecureDnsScheme)
        {
            error = ParseName(text!, rest, scheme == SecureDnsScheme, out target);
        }
        else if (PackageScheme.Find(scheme) is { } package)
        {
            target = new EndpointTarget(text!, [], package.IsTls, null) { MissingPackage = package.Describe(text!) };
        }
        else if (scheme is MuxAddress.TcpScheme or MuxAddress.TlsScheme && rest.Contains(',', StringComparison.Ordinal))
        {
            error = AddressList.TryParse(text!, scheme, rest, out var addresses);
            if (error is null) target = new EndpointTarget(text!, addresses, scheme == MuxAddress.TlsScheme, () => new FixedEndpoints(text!, addresses));
        }
        else if (scheme.Length > 0 && !IsOfAddress(scheme))
        {
            error = $"'{text}' has the unknown scheme '{text![..schemeEnd]}': expected mux, muxs, mux+unix, mux+pipe, mux+ws, mux+wss, {DnsScheme} or " +
                $"{SecureDnsScheme}; or, with a package, {PackageScheme.All}.";
        }
        else if (MuxAddress.TryParse(text, out var address, out error))
        {
            target = new EndpointTarget(text!, [address], address.Scheme == MuxAddress.TlsScheme, null);
        }

        return target is not null;
    }

    private static bool IsOfAddress(string scheme) => scheme is MuxAddress.TcpScheme or MuxAddress.TlsScheme or MuxAddress.UnixScheme or MuxAddress.PipeScheme
        or MuxAddress.WebSocketScheme or MuxAddress.SecureWebSocketScheme;

    private static string? ParseName(string text, string rest, bool isTls, out EndpointTarget? target)
    {
        target = null;
        if (rest.Contains(',', StringComparison.Ordinal)) return $"'{text}' has several names: expected one name, whose addresses are all servers.";
        if (rest.Contains('?', StringComparison.Ordinal)) return $"'{text}' has '?' after its name: the certificates of its servers must contain the name.";
        var plain = $"{MuxAddress.TcpScheme}://{rest}";
        if (!MuxAddress.TryParse(plain, out var place, out var error)) return error.Replace(plain, text, StringComparison.Ordinal);
        if (Uri.CheckHostName(place.Host) is not UriHostNameType.Dns)
        {
            var address = isTls ? $"{MuxAddress.TlsScheme}{place.ToString()[place.Scheme.Length..]}" : place.ToString();
            return $"'{text}' has the IP address {place.Host}, which needs no lookup: expected a name, or the address {address}.";
        }

        if (place.Port == 0) return $"'{text}' has the port 0: expected a number from 1 to 65535.";
        target = new EndpointTarget(text, [], isTls, () => new DnsEndpoints(text, place.Host, place.Port, isTls, NameLookup.RunAsync, Random.Shared));
        return null;
    }
}

/// <summary>Servers that are listed in the address of a channel. Immutable.</summary>
/// <param name="name">The address of the channel.</param>
/// <param name="addresses">The addresses in it.</param>
internal sealed class FixedEndpoints(string name, IEnumerable<MuxAddress> addresses) : IEndpointSource
{
    /// <summary>Gets the only set that <see cref="WatchAsync"/> reports.</summary>
    public EndpointSet Set { get; } = new(addresses.Select(address => new MuxEndpoint(address)));

    public string Name => name;

    public async IAsyncEnumerable<EndpointSet> WatchAsync(EndpointRefresh refresh, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.CompletedTask.ConfigureAwait(false);
        yield return Set;
    }
}

/// <summary>A scheme that a package of its own serves, because it needs the client of a foreign system.</summary>
/// <param name="Scheme">The scheme.</param>
/// <param name="Package">Name of the package.</param>
/// <param name="Call">The call that connects a client of a host to it.</param>
internal sealed record PackageScheme(string Scheme, string Package, string Call)
{
    private static readonly PackageScheme[] s_all =
    [
        new("mux+srv", "Mux.Discovery.Dns", "UseDnsSrv()"),
        new("muxs+srv", "Mux.Discovery.Dns", "UseDnsSrv()"),
        new("mux+service", "Mux.Discovery.ServiceDiscovery", "UseServiceDiscovery()"),
        new("muxs+service", "Mux.Discovery.ServiceDiscovery", "UseServiceDiscovery()"),
        new("mux+etcd", "Mux.Discovery.Etcd", "UseEtcd()"),
        new("mux+etcds", "Mux.Discovery.Etcd", "UseEtcd()"),
        new("mux+k8s", "Mux.Discovery.Kubernetes", "UseKubernetes()"),
        new("muxs+k8s", "Mux.Discovery.Kubernetes", "UseKubernetes()"),
    ];

    /// <summary>True if the servers speak TLS. Those of etcd have a scheme of their own each.</summary>
    public bool IsTls => Scheme.StartsWith($"{MuxAddress.TlsScheme}+", StringComparison.Ordinal);

    /// <summary>All schemes, for errors.</summary>
    public static string All { get; } = string.Join(", ", s_all.Select(known => known.Scheme));

    public static PackageScheme? Find(string scheme) => Array.Find(s_all, known => known.Scheme == scheme);

    /// <summary>Says what is missing to use an address with this scheme.</summary>
    public string Describe(string address) => $"'{address}' needs the package {Package}: install it, and call {Call} where the client is added to the host, " +
        "or set MuxChannelOptions.Endpoints.";
}

/// <summary>Reads a list of addresses with one scheme: <c>mux://a:7070,b:7070</c>.</summary>
internal static class AddressList
{
    /// <param name="text">The whole text, for errors.</param>
    /// <param name="scheme">The scheme of all addresses.</param>
    /// <param name="rest">What follows the scheme and <c>://</c>.</param>
    /// <param name="addresses">The addresses in their order; empty if the text is not valid.</param>
    /// <returns>What is wrong and what is allowed; or null.</returns>
    public static string? TryParse(string text, string scheme, string rest, out IReadOnlyList<MuxAddress> addresses)
    {
        addresses = [];
        var found = new List<MuxAddress>();
        var known = new HashSet<string>(StringComparer.OrdinalIgnoreCase); // as host names are
        var items = (rest.EndsWith('/') ? rest[..^1] : rest).Split(',');
        for (int i = 0; i < items.Length; i++)
        {
            var item = items[i];
            if (item.Length == 0) return $"'{text}' has no address at place {i + 1} of its list: expected host:port between commas.";
            if (item.Contains("://", StringComparison.Ordinal))
            {
                return $"'{text}' has '{item}' in its list: expected host:port. A list has one scheme, before its first address.";
            }

            if (!MuxAddress.TryParse($"{scheme}://{item}", out var address, out var error)) return $"'{text}' has '{item}' in its list: {error}";
            if (address.Port == 0) return $"'{text}' has '{item}' in its list: expected a port from 1 to 65535.";
            if (!known.Add(address.ToString())) return $"'{text}' has {address} twice in its list.";
            found.Add(address);
        }

        addresses = found;
        return null;
    }
}

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
