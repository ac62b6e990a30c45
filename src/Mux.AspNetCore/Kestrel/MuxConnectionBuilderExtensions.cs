using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Mux;
using Mux.AspNetCore.Kestrel;
using Mux.AspNetCore.Endpoints;

#pragma warning disable IDE0130 // next to UseHttps, where users look for it
namespace Microsoft.AspNetCore.Hosting;
#pragma warning restore IDE0130

/// <summary>Adds Mux to endpoints of Kestrel.</summary>
public static class MuxConnectionBuilderExtensions
{
    /// <summary>
    /// Serves the connections of an endpoint with the application's <see cref="MuxServer"/>, after the connection middleware that was added before, such as
    /// UseHttps. The endpoint speaks Mux and not HTTP.
    /// </summary>
    /// <remarks>
    /// <para>Limits, statistics and logs treat these connections like those that the server accepts itself. When Kestrel stops, the server announces the drain
    /// to the clients, and open calls have <see cref="MuxOptions.DrainTimeout"/> to finish, or the rest of the host's ShutdownTimeout if that is less. If
    /// Kestrel aborts a connection, its open calls fail on both sides.</para>
    /// <para>If UseHttps was called before, its TLS also offers the application protocol <c>mux/1</c> (ALPN), which clients of <c>muxs</c> addresses require. A
    /// UseHttps with a callback that returns <c>SslServerAuthenticationOptions</c> chooses the protocols itself. UseMuxHttps does both in one call, and offers
    /// Mux alone.</para>
    /// <para>If neither the configuration nor code sets <see cref="MuxOptions.Address"/>, the server does not listen itself. Kestrel calls UseMux of
    /// ConfigureEndpointDefaults, and of an endpoint of its configuration, only while the application starts; that is early enough. Once the server listens at
    /// its default address, because the application had no such endpoint, UseMux of an endpoint that is added later fails.</para>
    /// <para>Unless <see cref="MuxServerOptions.AllowPlaintext"/> is set, a connection without TLS from another machine is closed. The first time, a warning in
    /// the log says what to do (<c>EndpointPlaintextRefused</c>). Other middleware that terminates TLS must set an <c>ITlsConnectionFeature</c> or
    /// <c>ITlsHandshakeFeature</c>.</para>
    /// <para>A connection that arrives before the server was started is closed, and its client connects again. This does not happen in a WebApplication, which
    /// starts Kestrel last.</para>
    /// </remarks>
    /// <param name="endpoint">A <c>ListenOptions</c> of Kestrel.</param>
    /// <returns>The endpoint.</returns>
    /// <exception cref="InvalidOperationException">The application has no server: AddMuxServer was not called; or it listens at its default address already.
    /// When the application starts: UseHttps was called after UseMux, also by Kestrel for an https URL of the configuration.</exception>
    /// <example>
    /// HTTP at one port, Mux at another; the server needs no address:
    /// <code>
    /// builder.Services.AddMuxServer().AddService&lt;IGreeter, Greeter&gt;();
    /// builder.WebHost.ConfigureKestrel(kestrel =>
    /// {
    ///     kestrel.ListenAnyIP(8080);
    ///     kestrel.ListenAnyIP(7070, endpoint => endpoint.UseMuxHttps("server.pfx", password));
    /// });
    /// </code>
    /// </example>
    public static IConnectionBuilder UseMux(this IConnectionBuilder endpoint)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        var services = endpoint.ApplicationServices;
        RegisteredServer.Announce(services, "UseMux serves connections");
        var connections = new KestrelConnections(services);
        if (endpoint is not ListenOptions listen) return endpoint.Run(connections.ServeAsync);
        var tls = (IsOn: EndpointTls.IsIn(listen), Options: EndpointTls.AddMux(listen));
        return endpoint.Use(_ =>
        {
            // Runs when the endpoint is bound. Connections would reach Mux before their TLS.
            if ((EndpointTls.IsIn(listen), EndpointTls.OptionsOf(listen)) != tls)
            {
                throw new InvalidOperationException($"TLS was added after Mux at {listen}. If your code calls UseHttps after UseMux: call UseMuxHttps " +
                    "instead of both, or UseHttps first. If the configuration has an https URL, Kestrel calls UseHttps last: call UseMuxHttps instead of " +
                    "UseMux; for an endpoint of the configuration: kestrel.Configure(section).Endpoint(name, endpoint => endpoint.UseMuxHttps()).");
            }

            return connections.ServeAsync;
        });
    }
}
