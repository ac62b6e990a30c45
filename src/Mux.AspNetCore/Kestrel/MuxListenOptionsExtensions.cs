using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Mux;
using Mux.AspNetCore.Kestrel;

#pragma warning disable IDE0130 // next to UseHttps, where users look for it
namespace Microsoft.AspNetCore.Hosting;
#pragma warning restore IDE0130

/// <summary>Adds Mux with TLS to endpoints of Kestrel, for clients of <c>muxs</c> addresses.</summary>
/// <remarks>
/// <para>Each method does what UseHttps with the same arguments does, offers the application protocol <c>mux/1</c> (ALPN) instead of HTTP's, and then calls
/// <see cref="MuxConnectionBuilderExtensions.UseMux"/>. The other overloads of UseHttps have no counterpart: for a certificate of a store, set it in the
/// callback of the options; for a ServerOptionsSelectionCallback, use <see cref="TlsHandshakeCallbackOptions"/>. For connection middleware between TLS and Mux,
/// call UseHttps, the middleware and UseMux. For an endpoint of Kestrel's configuration, see <see cref="MuxEndpointConfigurationExtensions"/>.</para>
/// <para>A callback <see cref="HttpsConnectionAdapterOptions.OnAuthenticate"/> runs after the protocol is set.</para>
/// </remarks>
public static class MuxListenOptionsExtensions
{
    /// <summary>Serves the application's <see cref="MuxServer"/> over TLS, with Kestrel's default certificate.</summary>
    /// <param name="endpoint">An endpoint of Kestrel.</param>
    /// <returns>The endpoint.</returns>
    /// <exception cref="InvalidOperationException">There is no default certificate, or the application has no server.</exception>
    public static ListenOptions UseMuxHttps(this ListenOptions endpoint) => endpoint.UseMuxHttps(static (HttpsConnectionAdapterOptions _) => { });

    /// <summary>Serves the application's <see cref="MuxServer"/> over TLS.</summary>
    /// <param name="endpoint">An endpoint of Kestrel.</param>
    /// <param name="configure">Sets options of TLS, such as the certificate and whether clients must have one.</param>
    /// <returns>The endpoint.</returns>
    /// <exception cref="InvalidOperationException">There is no certificate, or the application has no server.</exception>
    public static ListenOptions UseMuxHttps(this ListenOptions endpoint, Action<HttpsConnectionAdapterOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(configure);
        endpoint.UseHttps(options => Configure(options, configure)).UseMux();
        return endpoint;
    }

    /// <summary>Serves the application's <see cref="MuxServer"/> over TLS with a certificate.</summary>
    /// <param name="endpoint">An endpoint of Kestrel.</param>
    /// <param name="certificate">The certificate with its private key.</param>
    /// <param name="configure">Sets further options of TLS.</param>
    /// <returns>The endpoint.</returns>
    /// <exception cref="InvalidOperationException">The application has no server.</exception>
    public static ListenOptions UseMuxHttps(
        this ListenOptions endpoint, X509Certificate2 certificate, Action<HttpsConnectionAdapterOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(certificate);
        endpoint.UseHttps(certificate, options => Configure(options, configure)).UseMux();
        return endpoint;
    }

    /// <summary>Serves the application's <see cref="MuxServer"/> over TLS with a certificate from a PKCS #12 file.</summary>
    /// <param name="endpoint">An endpoint of Kestrel.</param>
    /// <param name="fileName">Path of the file (.pfx); a relative path is relative to the content root.</param>
    /// <param name="password">Password of the file; null if it has none.</param>
    /// <param name="configure">Sets further options of TLS.</param>
    /// <returns>The endpoint.</returns>
    /// <exception cref="InvalidOperationException">The application has no server.</exception>
    /// <exception cref="System.Security.Cryptography.CryptographicException">The file cannot be read, or the password is wrong.</exception>
    public static ListenOptions UseMuxHttps(
        this ListenOptions endpoint, string fileName, string? password, Action<HttpsConnectionAdapterOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(fileName);
        endpoint.UseHttps(fileName, password, options => Configure(options, configure)).UseMux();
        return endpoint;
    }

    /// <summary>Serves the application's <see cref="MuxServer"/> over TLS with a certificate from a PKCS #12 file without a password.</summary>
    /// <param name="endpoint">An endpoint of Kestrel.</param>
    /// <param name="fileName">Path of the file (.pfx); a relative path is relative to the content root.</param>
    /// <returns>The endpoint.</returns>
    /// <exception cref="InvalidOperationException">The application has no server.</exception>
    /// <exception cref="System.Security.Cryptography.CryptographicException">The file cannot be read, or it has a password.</exception>
    public static ListenOptions UseMuxHttps(this ListenOptions endpoint, string fileName) => endpoint.UseMuxHttps(fileName, password: null);

    /// <summary>Serves the application's <see cref="MuxServer"/> over TLS with these options.</summary>
    /// <param name="endpoint">An endpoint of Kestrel.</param>
    /// <param name="options">The options, with a certificate. They are copied, so another endpoint can use them too.</param>
    /// <returns>The endpoint.</returns>
    /// <exception cref="InvalidOperationException">The application has no server.</exception>
    /// <exception cref="ArgumentException">When the application starts: the options have no certificate.</exception>
    public static ListenOptions UseMuxHttps(this ListenOptions endpoint, HttpsConnectionAdapterOptions options)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(options);
        var copy = TlsOptionsCopy.Of(options);
        EndpointTls.OfferMux(copy);
        endpoint.UseHttps(copy).UseMux();
        return endpoint;
    }

    /// <summary>Serves the application's <see cref="MuxServer"/> over TLS with options for each connection.</summary>
    /// <param name="endpoint">An endpoint of Kestrel.</param>
    /// <param name="options">The callback. Application protocols that it sets are kept; they must contain <c>mux/1</c>.</param>
    /// <returns>The endpoint.</returns>
    /// <exception cref="ArgumentException">There is no callback.</exception>
    /// <exception cref="InvalidOperationException">The application has no server.</exception>
    public static ListenOptions UseMuxHttps(this ListenOptions endpoint, TlsHandshakeCallbackOptions options)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        ArgumentNullException.ThrowIfNull(options);
        endpoint.UseHttps(EndpointTls.OfferingMux(options)).UseMux();
        return endpoint;
    }

    private static void Configure(HttpsConnectionAdapterOptions options, Action<HttpsConnectionAdapterOptions>? configure)
    {
        configure?.Invoke(options);
        EndpointTls.OfferMux(options);
    }
}
