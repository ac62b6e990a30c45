using System.Net;
using System.Text;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Mux.AspNetCore.Endpoints;

/// <summary>
/// Refuses connections whose TLS did not agree on Mux, as Mux does at its own addresses: their peer believes that it speaks another protocol, and may have been
/// redirected here by an attacker on the way. Safe for concurrent use.
/// </summary>
/// <param name="services">Services of the application; used at the first refusal and not before.</param>
internal sealed class ProtocolRule(IServiceProvider services)
{
    /// <summary>The application protocol (ALPN) of Mux.</summary>
    public const string ProtocolName = "mux/1";

    private int _said; // 1 after the first warning

    /// <summary>True if the connection may be served: it agreed on Mux, or there is no TLS here that could tell.</summary>
    public bool Allows(ConnectionContext connection)
    {
        if (AgreedBy(connection.Features) is not { } agreed || agreed == ProtocolName) return true;
        var level = Interlocked.Exchange(ref _said, 1) == 0 ? LogLevel.Warning : LogLevel.Debug;
        var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Mux.Server");
        var where = connection.RemoteEndPoint is IPEndPoint ip ? ip.Address.ToString() : $"{connection.RemoteEndPoint}";
        var endpoint = $"{connection.LocalEndPoint}";
        EndpointLog.ProtocolRefused(logger, level, where, endpoint, agreed.Length == 0 ? "none" : agreed);
        return false;
    }

    /// <summary>
    /// Gets the name of the protocol that both sides agreed on, empty if there is none. Null without the features of an SslStream or of ALPN: other middleware
    /// that terminates TLS cannot tell.
    /// </summary>
    private static string? AgreedBy(IFeatureCollection features)
    {
        if (features.Get<ISslStreamFeature>() is { SslStream.NegotiatedApplicationProtocol: var protocol }) return NameOf(protocol.Protocol.Span);
        return features.Get<ITlsApplicationProtocolFeature>() is { ApplicationProtocol: var name } ? NameOf(name.Span) : null;
    }

    private static string NameOf(ReadOnlySpan<byte> protocol) => Encoding.Latin1.GetString(protocol);
}
