using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Mux;

/// <summary>
/// The address at which a server listens or to which a client connects. Immutable. Two addresses are equal if all their parts are equal.
/// </summary>
/// <remarks>
/// <list type="bullet">
/// <item><description><c>mux://host:port</c>: TCP.</description></item>
/// <item><description><c>muxs://host:port</c>: TLS over TCP. <c>muxs://10.0.0.7:7070?name=orders.prod</c> connects to one address, and expects a certificate
/// for another name.</description></item>
/// <item><description><c>mux+unix:///path/to.sock</c>: Unix domain socket.</description></item>
/// <item><description><c>mux+pipe://name</c>: named pipe.</description></item>
/// <item><description><c>mux+ws://host:port/path</c> and <c>mux+wss://host:port/path</c>: WebSocket without and with TLS, for clients
/// only.</description></item>
/// </list>
/// </remarks>
public sealed record MuxAddress
{
    /// <summary>The port of a <c>mux</c> or <c>muxs</c> address without a port: 7070.</summary>
    public const int DefaultPort = 7070;

    /// <summary>The scheme of TCP addresses.</summary>
    public const string TcpScheme = "mux";

    /// <summary>The scheme of TLS addresses.</summary>
    public const string TlsScheme = "muxs";

    /// <summary>The scheme of Unix domain socket addresses.</summary>
    public const string UnixScheme = "mux+unix";

    /// <summary>The scheme of named pipe addresses.</summary>
    public const string PipeScheme = "mux+pipe";

    /// <summary>The scheme of WebSocket addresses. Their default port is 80.</summary>
    public const string WebSocketScheme = "mux+ws";

    /// <summary>The scheme of WebSocket addresses with TLS. Their default port is 443.</summary>
    public const string SecureWebSocketScheme = "mux+wss";

    // Where .NET implements pipes as sockets, this leaves 11 bytes for the prefix that .NET adds and 16 for the temporary folder.
    private const int MaxPipeNameLength = 80;

    // sockaddr_un holds 108 bytes including the closing zero.
    private const int MaxUnixPathLength = 107;

    private const string NameQuery = "?name=";

    private MuxAddress(string scheme, string host, int port, string path, string? serverName = null)
    {
        Scheme = scheme;
        Host = host;
        Port = port;
        Path = path;
        ServerName = serverName;
    }

    /// <summary>Gets the scheme: <c>mux</c>, <c>muxs</c>, <c>mux+unix</c>, <c>mux+pipe</c>, <c>mux+ws</c> or <c>mux+wss</c>.</summary>
    public string Scheme { get; }

    /// <summary>Gets the host name, or the IP address without brackets; empty for a Unix domain socket and a named pipe.</summary>
    public string Host { get; }

    /// <summary>
    /// Gets the port, 0 to 65535; 0 for a Unix domain socket and a named pipe. A listener at port 0 gets a free port from the system; a client cannot connect
    /// to port 0.
    /// </summary>
    public int Port { get; }

    /// <summary>
    /// Gets the absolute path of the socket file, the name of the pipe, or the path of the WebSocket with its leading slash; empty for TCP and TLS.
    /// </summary>
    public string Path { get; }

    /// <summary>
    /// Gets the name that the certificate of the server must contain, and that a client sends in the TLS handshake (SNI). For addresses that were looked up:
    /// the certificate names the service, not the IP address.
    /// </summary>
    /// <value>A host name or an IP address; null by default, which means the host. Always null for other schemes than <c>muxs</c>.</value>
    public string? ServerName { get; }

    private bool IsWebSocket => Scheme is WebSocketScheme or SecureWebSocketScheme;

    /// <summary>Returns a copy of this address with another port, such as the free port that a listener at port 0 got.</summary>
    public MuxAddress WithPort(int port) => new(Scheme, Host, port, Path, ServerName);

    /// <summary>Returns a copy of this address with another name in the certificate of the server.</summary>
    /// <param name="serverName">See <see cref="ServerName"/>; null for the host of the address.</param>
    /// <exception cref="ArgumentException">The name is neither a host name nor an IP address, or this is not a <c>muxs</c> address.</exception>
    public MuxAddress WithServerName(string? serverName)
    {
        if (serverName is null) return ServerName is null ? this : new MuxAddress(Scheme, Host, Port, Path);
        if (Scheme != TlsScheme) throw new ArgumentException($"{this} has no certificate: only {TlsScheme} addresses have a server name.", nameof(serverName));
        if (Uri.CheckHostName(serverName) is UriHostNameType.Unknown)
        {
            throw new ArgumentException($"'{serverName}' is not a server name: expected a host name or an IP address.", nameof(serverName));
        }

        return new MuxAddress(Scheme, Host, Port, Path, serverName);
    }

    /// <summary>Parses an address.</summary>
    /// <exception cref="FormatException">The text is not an address; the message says which part is wrong and what is allowed.</exception>
    public static MuxAddress Parse(string text)
    {
        return TryParse(text, out var address, out var error) ? address : throw new FormatException(error);
    }

    /// <summary>Parses an address. If it is not valid, <paramref name="error"/> says which part is wrong and what is allowed.</summary>
    public static bool TryParse(string? text, [NotNullWhen(true)] out MuxAddress? address, [NotNullWhen(false)] out string? error)
    {
        address = null;
        error = null;
        int schemeEnd = text?.IndexOf("://", StringComparison.Ordinal) ?? -1;
        if (schemeEnd < 0)
        {
            error = $"'{text}' is not an address: expected mux://host:port, muxs://host:port, mux+unix:///path, mux+pipe://name or mux+ws://host:port/path.";
            return false;
        }

        var scheme = text![..schemeEnd].ToLowerInvariant(); // RFC 3986, section 3.1: schemes have no case
        var rest = text[(schemeEnd + 3)..];
        switch (scheme)
        {
            case TcpScheme or TlsScheme: error = ParseNamed(text, scheme, rest, out address); break;
            case WebSocketScheme or SecureWebSocketScheme: error = ParseWebSocket(text, scheme, rest, out address); break;
            case UnixScheme: error = ParseUnix(text, rest, out address); break;
            case PipeScheme: error = ParsePipe(text, rest, out address); break;
            default: error = $"'{text}' has the unknown scheme '{text[..schemeEnd]}': expected mux, muxs, mux+unix, mux+pipe, mux+ws or mux+wss."; break;
        }

        return address is not null;
    }

    /// <summary>Returns the address in a form that <see cref="Parse"/> accepts.</summary>
    public override string ToString()
    {
        if (Scheme is UnixScheme or PipeScheme) return $"{Scheme}://{Path}";
        return Host.Contains(':', StringComparison.Ordinal) ? $"{Scheme}://[{Host}]:{Port}{BehindPort}" : $"{Scheme}://{Host}:{Port}{BehindPort}";
    }

    private string BehindPort => IsWebSocket ? Path : ServerName is null ? string.Empty : NameQuery + ServerName;

    private static string? ParseNamed(string text, string scheme, string rest, out MuxAddress? address)
    {
        int query = rest.IndexOf('?', StringComparison.Ordinal);
        var place = query < 0 ? rest : rest[..query];
        var error = ParseTcp(text, scheme, place.EndsWith('/') ? place[..^1] : place, string.Empty, DefaultPort, out address);
        if (error is not null || query < 0) return error;
        var named = address!;
        address = null;
        var written = rest[query..];
        if (scheme != TlsScheme) return $"'{text}' has '{written}' after its port: expected nothing; only {TlsScheme} addresses have a {NameQuery}.";
        var name = written.StartsWith(NameQuery, StringComparison.Ordinal) ? written[NameQuery.Length..] : string.Empty;
        if (Uri.CheckHostName(name) is UriHostNameType.Unknown)
        {
            return $"'{text}' has '{written}' after its port: expected {NameQuery} and the name in the server's certificate, a host name or an IP address.";
        }

        address = new MuxAddress(scheme, named.Host, named.Port, string.Empty, name);
        return null;
    }

    private static string? ParseWebSocket(string text, string scheme, string rest, out MuxAddress? address)
    {
        address = null;
        int pathStart = rest.IndexOf('/', StringComparison.Ordinal);
        var path = pathStart < 0 ? "/" : rest[pathStart..];
        if (path.Any(c => c is <= ' ' or >= '\x7f' or '?' or '#' or '\\'))
        {
            return $"'{text}' has the path '{path}': expected ASCII characters without spaces, '?', '#' and '\\'.";
        }

        return ParseTcp(text, scheme, pathStart < 0 ? rest : rest[..pathStart], path, scheme == WebSocketScheme ? 80 : 443, out address);
    }

    private static string? ParseTcp(string text, string scheme, string rest, string path, int defaultPort, out MuxAddress? address)
    {
        address = null;
        bool bracketed = rest.StartsWith('[');
        int hostEnd = bracketed ? rest.IndexOf(']', StringComparison.Ordinal) + 1 : rest.IndexOf(':', StringComparison.Ordinal);
        if (bracketed && hostEnd == 0) return $"'{text}' has no ']' after its IPv6 address.";
        if (hostEnd < 0) hostEnd = rest.Length;

        var host = bracketed ? rest[1..(hostEnd - 1)] : rest[..hostEnd];
        if (Uri.CheckHostName(host) is UriHostNameType.Unknown)
        {
            return $"'{text}' has no usable host: expected a name, an IPv4 address or an IPv6 address in brackets.";
        }

        int port = defaultPort;
        var portText = rest[hostEnd..];
        if (portText.Length > 0)
        {
            if (portText[0] != ':') return $"'{text}' has '{portText}' after its host: expected ':' and a port.";
            if (!int.TryParse(portText.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture, out port) || port > 65535)
                return $"'{text}' has the port '{portText[1..]}': expected a number from 0 to 65535.";
        }

        address = new MuxAddress(scheme, host, port, path);
        return null;
    }

    private static string? ParseUnix(string text, string rest, out MuxAddress? address)
    {
        address = null;
        if (!rest.StartsWith('/')) return $"'{text}' has no absolute path: expected mux+unix:///path.";
        int length = System.Text.Encoding.UTF8.GetByteCount(rest);
        if (length > MaxUnixPathLength) return $"'{text}' has a path of {length} bytes: a Unix domain socket allows at most {MaxUnixPathLength}.";
        address = new MuxAddress(UnixScheme, string.Empty, 0, rest);
        return null;
    }

    private static string? ParsePipe(string text, string rest, out MuxAddress? address)
    {
        address = null;
        bool isAllowed = rest.Length is > 0 and <= MaxPipeNameLength && rest.All(c => char.IsAsciiLetterOrDigit(c) || c is '.' or '-' or '_');
        if (!isAllowed) return $"'{text}' has the pipe name '{rest}': expected 1 to {MaxPipeNameLength} letters, digits, dots, hyphens and underscores.";
        if (rest.Equals("anonymous", StringComparison.OrdinalIgnoreCase))
        {
            return $"'{text}' has the pipe name '{rest}', which is reserved for unnamed pipes: choose another name.";
        }

        address = new MuxAddress(PipeScheme, string.Empty, 0, rest);
        return null;
    }
}
