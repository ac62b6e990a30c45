using System.Diagnostics.CodeAnalysis;
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
