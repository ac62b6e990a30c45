using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Mux.AspNetCore.Endpoints;

/// <summary>
/// Keeps an endpoint to the rule of the addresses that Mux listens at itself: other machines are served in plaintext only where <see cref="MuxServerOptions.AllowPlaintext"/> says so. Only a connection
/// tells whether it is encrypted and where it comes from, so each is asked. Safe for concurrent use.
/// </summary>
/// <param name="services">Of the application; asked at the first such connection and not before.</param>
/// <param name="remedy">What its owner can do beside allowing it, such as "put UseHttps before UseMux".</param>
internal sealed class PlaintextRule(IServiceProvider services, string remedy)
{
    private int _said; // 1 once its owner was warned

    /// <summary>Whether a connection that is not encrypted is served. A peer without an IP address, such as that of a Unix domain socket or of a server in memory, is on this machine.</summary>
    /// <param name="remote">The address of the peer.</param>
    /// <param name="endpoint">Where it came in, for the log.</param>
    public bool Allows(IPAddress? remote, string endpoint)
    {
        if (remote is null || IPAddress.IsLoopback(remote.IsIPv4MappedToIPv6 ? remote.MapToIPv4() : remote)) return true;
        bool isAllowed = services.GetRequiredService<IOptions<MuxServerOptions>>().Value.AllowPlaintext;
        bool isFirst = Interlocked.Exchange(ref _said, 1) == 0;
        var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Mux.Server");
        if (!isAllowed) EndpointLog.PlaintextRefused(logger, isFirst ? LogLevel.Warning : LogLevel.Debug, remote, endpoint, remedy);
        else if (isFirst) EndpointLog.ServesPlaintext(logger, endpoint);
        return isAllowed;
    }
}
