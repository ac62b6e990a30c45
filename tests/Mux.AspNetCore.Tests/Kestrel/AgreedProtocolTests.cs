using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.Extensions.Logging;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;

namespace Mux.AspNetCore.Tests.Kestrel;

/// <summary>A peer whose TLS did not agree on Mux is closed before any frame, as it is at Mux's own addresses.</summary>
public sealed class AgreedProtocolTests
{
    private const int TestLimit = 90_000;

    [Theory(Timeout = TestLimit)]
    [InlineData(null, "none")]
    [InlineData("h2", "h2")]
    public async Task A_peer_that_agrees_on_something_else_is_closed_and_the_log_says_why(string? offered, string told)
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        await using var application = await Application.StartAsync((endpoint, _) => endpoint.UseHttps(certificate).UseMux());

        for (int i = 0; i < 2; i++) await AssertClosedAsync(application.Port, offered);

        var refused = await application.Logs.ReachAsync("EndpointProtocolRefused", 2);
        Assert.StartsWith($"The connection from 127.0.0.1 to 127.0.0.1:{application.Port} is refused: its TLS agreed on {told} instead of", refused[0].Text, StringComparison.Ordinal);
        Assert.Equal([LogLevel.Warning, LogLevel.Debug], refused.Select(entry => entry.Level));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Middleware_that_cannot_tell_the_protocol_is_believed()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        await using var application = await Application.StartAsync((endpoint, _) => endpoint.UseHttps(certificate).Use(next => connection =>
        {
            connection.Features.Set<ISslStreamFeature>(null);
            connection.Features.Set<ITlsApplicationProtocolFeature>(null);
            return next(connection);
        }).UseMux());
        var client = application.CreateClient(options => (options.Address, options.Tls) = ($"muxs://127.0.0.1:{application.Port}", TlsTransports.Client()));
        Assert.Equal(7, (await client.Ask(new() { Id = 7 }, cancellationToken: TestContext.Current.CancellationToken)).Id);
        Assert.Empty(application.Logs.Of("EndpointProtocolRefused"));
    }

    private static async Task AssertClosedAsync(int port, string? offered)
    {
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, port, TestContext.Current.CancellationToken);
#pragma warning disable CA5359 // The protocol is what is tested, and who the server is does not matter.
        await using var tls = new SslStream(new NetworkStream(socket), false, (_, _, _, _) => true);
#pragma warning restore CA5359
        var options = new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            ApplicationProtocols = offered is null ? null : [new SslApplicationProtocol(offered)],
        };
        await tls.AuthenticateAsClientAsync(options, TestContext.Current.CancellationToken).Within("the handshake");
        Assert.Equal(0, await tls.ReadAsync(new byte[1], TestContext.Current.CancellationToken).AsTask().Within("the end of the connection"));
    }
}
