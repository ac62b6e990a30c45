using System.Net.Security;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Mux.AspNetCore.Endpoints;

namespace Mux.AspNetCore.Kestrel;

/// <summary>
/// Has the TLS of Kestrel agree to Mux's application protocol (ALPN), which clients of <c>muxs</c> addresses require. Kestrel itself offers HTTP's only.
/// </summary>
internal static class EndpointTls
{
    private static readonly SslApplicationProtocol s_mux = new(ProtocolRule.ProtocolName);

    /// <summary>Offers Mux alone, before the callback of the options, which may offer more.</summary>
    public static void OfferMux(HttpsConnectionAdapterOptions options)
    {
        var own = options.OnAuthenticate;
        options.OnAuthenticate = (connection, tls) =>
        {
            tls.ApplicationProtocols = [s_mux];
            own?.Invoke(connection, tls);
        };
    }

    /// <summary>Offers Mux if the callback of the options offers nothing. What it returned stays: an endpoint with HTTP may share it.</summary>
    public static TlsHandshakeCallbackOptions OfferingMux(TlsHandshakeCallbackOptions options)
    {
        var own = options.OnConnection;
        return new TlsHandshakeCallbackOptions
        {
            HandshakeTimeout = options.HandshakeTimeout,
            OnConnectionState = options.OnConnectionState,
            OnConnection = own is null ? null! : async context =>
            {
                var tls = await own(context).ConfigureAwait(false);
                return tls.ApplicationProtocols is null ? TlsOptionsCopy.Of(tls, s_mux) : tls;
            },
        };
    }

    /// <summary>
    /// Adds Mux to what an endpoint offers whose UseHttps was called before. What it offers otherwise stays: an endpoint with HTTP may share the options.
    /// </summary>
    /// <returns>The options of UseHttps; null if it was not called, or called with a callback that chooses the protocols itself.</returns>
    public static HttpsConnectionAdapterOptions? AddMux(ListenOptions endpoint)
    {
        if (OptionsOf(endpoint) is not { } options) return null;
        var own = options.OnAuthenticate;
        options.OnAuthenticate = (connection, tls) =>
        {
            own?.Invoke(connection, tls);
            if (tls.ApplicationProtocols?.Contains(s_mux) != true) tls.ApplicationProtocols = [s_mux, .. tls.ApplicationProtocols ?? []];
        };
        return options;
    }

    /// <summary>True if UseHttps was called, in any of its forms. False too in a version of Kestrel that does not tell.</summary>
    public static bool IsIn(ListenOptions endpoint)
    {
        try
        {
            return GetIsTls(endpoint);
        }
        catch (MissingMethodException)
        {
            return false;
        }
    }

    /// <summary>
    /// The options with which UseHttps was called last. Kestrel has no public way to them. A later version that keeps them elsewhere gets no protocol from
    /// UseMux, and UseMuxHttps, which does without them, remains.
    /// </summary>
    public static HttpsConnectionAdapterOptions? OptionsOf(ListenOptions endpoint)
    {
        try
        {
            return GetHttpsOptions(endpoint);
        }
        catch (MissingMethodException)
        {
            return null;
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_HttpsOptions")]
    private static extern HttpsConnectionAdapterOptions? GetHttpsOptions(ListenOptions endpoint);

    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "get_IsTls")]
    private static extern bool GetIsTls(ListenOptions endpoint);
}
