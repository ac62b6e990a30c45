using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Mux.AspNetCore.Endpoints;

/// <summary>
/// Applies <see cref="MuxServerOptions.AllowPlaintext"/> to an endpoint, as Mux does at its own addresses: other machines are served without encryption only if
/// it is set. Only a connection shows whether it is encrypted and where it comes from, so each one is checked. Safe for concurrent use.
/// </summary>
/// <param name="services">Services of the application; used at the first such connection and not before.</param>
/// <param name="remedy">What the user can do instead of allowing it, such as "call UseMuxHttps instead of UseMux".</param>
internal sealed class PlaintextRule(IServiceProvider services, string remedy)
{
    private int _said; // 1 after the first warning

    /// <summary>True if a connection without encryption is served.</summary>
    /// <param name="remote">Address of the peer. Null, a Unix domain socket, a named pipe and a loopback address are on this machine; other kinds of addresses
    /// are not.</param>
    /// <param name="endpoint">Name of the endpoint, for the log.</param>
    /// <param name="isForwarded">True if a proxy reported <paramref name="remote"/>: a client may have invented it, so a loopback address is not
    /// believed.</param>
    public bool Allows(EndPoint? remote, string endpoint, bool isForwarded = false)
    {
        if (!isForwarded && IsOfThisMachine(remote)) return true;
        bool isAllowed = services.GetRequiredService<IOptions<MuxServerOptions>>().Value.AllowPlaintext;
        bool isFirst = Interlocked.Exchange(ref _said, 1) == 0;
        var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Mux.Server");
        var where = remote is IPEndPoint ip ? ip.Address.ToString() : $"{remote}";
        if (!isAllowed) EndpointLog.PlaintextRefused(logger, isFirst ? LogLevel.Warning : LogLevel.Debug, where, endpoint, remedy);
        else if (isFirst) EndpointLog.ServesPlaintext(logger, endpoint);
        return isAllowed;
    }

    private static bool IsOfThisMachine(EndPoint? remote) => remote switch
    {
        IPEndPoint { Address: var address } => IPAddress.IsLoopback(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address),
        null or UnixDomainSocketEndPoint or NamedPipeEndPoint => true,
        _ => false,
    };
}
