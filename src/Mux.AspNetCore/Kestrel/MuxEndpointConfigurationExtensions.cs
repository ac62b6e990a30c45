using Microsoft.AspNetCore.Server.Kestrel;
using Mux;

#pragma warning disable IDE0130 // next to UseHttps, where users look for it
namespace Microsoft.AspNetCore.Hosting;
#pragma warning restore IDE0130

/// <summary>Adds Mux with TLS to endpoints of Kestrel's configuration.</summary>
public static class MuxEndpointConfigurationExtensions
{
    /// <summary>
    /// Serves the application's <see cref="MuxServer"/> over TLS with the certificate and the other options of TLS that the section of the endpoint has, or
    /// else with the defaults of Kestrel.
    /// </summary>
    /// <remarks>The section needs an <c>https</c> Url, and no <c>Sni</c>. For an <c>http</c> Url, call UseMux of its ListenOptions.</remarks>
    /// <param name="endpoint">An endpoint of the configuration.</param>
    /// <returns>The endpoint.</returns>
    /// <exception cref="InvalidOperationException">The Url is not https, there is a section Sni, there is no certificate, or the application has no
    /// server.</exception>
    /// <example>
    /// With <c>Kestrel:Endpoints:Mux:Url</c> = <c>https://*:7070</c> and a section <c>Certificate</c> next to it:
    /// <code>
    /// builder.WebHost.ConfigureKestrel((context, kestrel) =>
    ///     kestrel.Configure(context.Configuration.GetSection("Kestrel")).Endpoint("Mux", endpoint => endpoint.UseMuxHttps()));
    /// </code>
    /// </example>
    public static EndpointConfiguration UseMuxHttps(this EndpointConfiguration endpoint)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        string section = endpoint.ConfigSection.Path;
        string? url = endpoint.ConfigSection["Url"];
        if (!endpoint.IsHttps) throw new InvalidOperationException($"UseMuxHttps needs an https URL in {section}:Url, but there is '{url}'.");
        if (endpoint.ConfigSection.GetSection("Sni").GetChildren().Any())
        {
            throw new InvalidOperationException($"UseMuxHttps does not read {section}:Sni. Remove it, or listen in code with UseMuxHttps and a " +
                "TlsHandshakeCallbackOptions, which chooses the certificate by name.");
        }

        if (endpoint.HttpsOptions is { ServerCertificate: null, ServerCertificateSelector: null })
            throw new InvalidOperationException($"UseMuxHttps finds no certificate: set {section}:Certificate, or a default certificate of Kestrel.");
        endpoint.ListenOptions.UseMuxHttps(endpoint.HttpsOptions);
        return endpoint;
    }
}
