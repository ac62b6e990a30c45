using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Mux.AspNetCore.Endpoints;

/// <summary>
/// Keeps an endpoint to the rule of the addresses that Mux listens at itself: other machines are served in plaintext only where
/// <see cref="MuxServerOptions.AllowPlaintext"/> says so. Only a connection tells whether it is encrypted and where it comes from, so each is asked. Safe for
/// concurrent use.
/// </summary>
/// <param name="services">Of the application; asked at the first such connection and not before.</param>
/// <param name="remedy">What its owner can do beside allowing it, such as "put UseHttps before UseMux".</param>
internal sealed class PlaintextRule(IServiceProvider services, string remedy)
{
    private int _said; // 1 once its owner was warned

    /// <summary>Whether a connection that is not encrypted is served.</summary>
    /// <param name="remote">The end of the peer. None, a Unix domain socket and a named pipe are on this machine, as is a loopback address; of other kinds
    /// nobody here knows.</param>
    /// <param name="endpoint">Where it came in, for the log.</param>
    /// <param name="isForwarded">Whether <paramref name="remote"/> is what a proxy says: a client may have told the proxy, and "of this machine" is not
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
