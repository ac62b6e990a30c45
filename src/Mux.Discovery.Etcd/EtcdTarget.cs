using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net;
using Mux.Discovery.Etcd.Protocol;

namespace Mux.Discovery.Etcd;

/// <summary>The address of keys in etcd: its members and the prefix of the keys. Immutable.</summary>
internal sealed class EtcdTarget
{
    /// <summary>The scheme of members without TLS.</summary>
    public const string PlainScheme = "mux+etcd";

    /// <summary>The scheme of members with TLS.</summary>
    public const string TlsScheme = "mux+etcds";

    /// <summary>The form of an address.</summary>
    public const string Expected = "mux+etcd://host:port/prefix or mux+etcds://host:port/prefix, with commas between several members";

    /// <summary>What a prefix may be.</summary>
    public const string AllowedPrefix = "1 to 512 characters, none of them a control character, a space or a question mark";

    /// <summary>The schemes of this package.</summary>
    public static readonly string[] Schemes = [PlainScheme, TlsScheme];

    private const int DefaultPort = 2379;

    private EtcdTarget(bool isEncrypted, Uri[] members, string path)
    {
        IsEncrypted = isEncrypted;
        Members = members;
        Path = path;
    }

    /// <summary>True if the connections to the members use TLS.</summary>
    public bool IsEncrypted { get; }

    /// <summary>The addresses of the members, at least one.</summary>
    public IReadOnlyList<Uri> Members { get; }

    /// <summary>The path, with a leading slash and without one at its end; empty if there is none.</summary>
    public string Path { get; }

    /// <summary>True if a text can be the prefix of keys.</summary>
    public static bool IsPrefix(string text) => text.Length is > 0 and <= 512 && !text.Any(c => char.IsControl(c) || c is ' ' or '?');

    /// <summary>Parses an address. If it is not valid, <paramref name="error"/> says which part is wrong and what is allowed.</summary>
    public static bool TryParse(string? text, [NotNullWhen(true)] out EtcdTarget? target, [NotNullWhen(false)] out string? error)
    {
        (target, error) = (null, null);
        if (text is not null && text.Contains('@', StringComparison.Ordinal))
        {
            // The text may hold a password: it is not repeated.
            error = "The address of etcd contains '@'. Names and passwords do not belong in an address, which is logged: set User and Password of the options.";
            return false;
        }

        if (text?.Split("://", 2) is not [PlainScheme or TlsScheme, var rest])
        {
            error = $"'{text}' is not an address of etcd: expected {Expected}.";
            return false;
        }

        bool isEncrypted = text.StartsWith(TlsScheme, StringComparison.Ordinal);
        int pathStart = rest.IndexOf('/', StringComparison.Ordinal);
        var path = pathStart < 0 ? string.Empty : rest[pathStart..].TrimEnd('/');
        if (path.Length > 0 && !IsPrefix(path))
        {
            error = $"'{text}' has the prefix '{path}': expected {AllowedPrefix}.";
            return false;
        }

        var members = new List<Uri>();
        foreach (var member in (pathStart < 0 ? rest : rest[..pathStart]).Split(','))
        {
            if (!TryParseMember(text, member, isEncrypted, out var address, out error)) return false;
            members.Add(address);
        }

        target = new EtcdTarget(isEncrypted, [.. members], path);
        return true;
    }

    /// <summary>Finds a member on another machine to which requests are not encrypted; null if there is none.</summary>
    public string? FindPlaintextOnNetwork() =>
        IsEncrypted ? null : Members.FirstOrDefault(member => !IsLoopback(member))?.Authority;

    /// <summary>Returns the address, as in logs.</summary>
    public override string ToString() => Describe(Path);

    /// <summary>Returns the address with another path, as in logs.</summary>
    public string Describe(string path) =>
        $"{(IsEncrypted ? TlsScheme : PlainScheme)}://{string.Join(',', Members.Select(EtcdCluster.Describe))}" +
        (path.Length == 0 || path[0] == '/' ? path : '/' + path);

    private static bool IsLoopback(Uri member) =>
        member.Host.Equals("localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(member.Host.Trim('[', ']'), out var address) && IPAddress.IsLoopback(address));

    private static bool TryParseMember(
        string text, string member, bool isEncrypted, [NotNullWhen(true)] out Uri? address, [NotNullWhen(false)] out string? error)
    {
        (address, error) = (null, null);
        bool isBracketed = member.StartsWith('[');
        int hostEnd = isBracketed ? member.IndexOf(']', StringComparison.Ordinal) + 1 : member.IndexOf(':', StringComparison.Ordinal);
        if (hostEnd < 0) hostEnd = member.Length;
        var host = member[..hostEnd];
        if (host.Length == 0 || Uri.CheckHostName(isBracketed ? host[1..^1] : host) == UriHostNameType.Unknown)
        {
            error = $"'{text}' has the member '{member}', which has no usable host: expected {Expected}.";
            return false;
        }

        int port = DefaultPort;
        if (hostEnd < member.Length)
        {
            bool isPort = member[hostEnd] == ':' && int.TryParse(member.AsSpan(hostEnd + 1), NumberStyles.None, CultureInfo.InvariantCulture, out port);
            if (!isPort || port is < 1 or > 65535)
            {
                error = $"'{text}' has the member '{member}': expected a port from 1 to 65535 after its host, or none for {DefaultPort}.";
                return false;
            }
        }

        address = new UriBuilder(isEncrypted ? "https" : "http", host, port).Uri;
        return true;
    }
}
