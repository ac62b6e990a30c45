using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports.Tls;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Transports.Tls;

/// <summary>Handshakes that fail are counted by reason, also those that the log leaves out because it has had one this second.</summary>
public sealed class HandshakeFailureTests
{
    private const int TestLimit = 60_000;
    private const int Clients = 5;

    [Fact(Timeout = TestLimit)]
    public async Task Whoever_does_not_speak_TLS_counts_as_Protocol()
    {
        using var scene = new TlsServerScene();
        for (int i = 0; i < Clients; i++)
        {
            await using var stream = new NetworkStream(await scene.ConnectAsync());
            await stream.WriteAsync("GET / HTTP/1.1\r\n\r\n"u8.ToArray(), TestContext.Current.CancellationToken);
            await TlsServerScene.ReadToEndAsync(stream);
        }

        await CountsAsync(scene, "Protocol", Clients);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_without_the_application_protocol_counts_as_Protocol()
    {
        using var scene = new TlsServerScene();
        await TlsServerScene.ReadToEndAsync(await scene.HandshakeAsync(new SslClientAuthenticationOptions()));
        await CountsAsync(scene, "Protocol", 1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_that_leaves_counts_as_ConnectionLost()
    {
        using var scene = new TlsServerScene();
        for (int i = 0; i < Clients; i++) (await scene.ConnectAsync()).Dispose();
        await CountsAsync(scene, "ConnectionLost", Clients);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_that_says_nothing_counts_as_Timeout()
    {
        var options = TlsTransports.Server();
        options.HandshakeTimeout = TimeSpan.FromMilliseconds(200);
        using var scene = new TlsServerScene(options);
        await scene.ConnectAsync();
        await CountsAsync(scene, "Timeout", 1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_without_a_certificate_counts_as_Certificate()
    {
        var options = TlsTransports.Server();
        (options.TrustedRoots, options.Revocation) = (TestAuthority.Shared.Roots, X509RevocationMode.NoCheck);
        using var scene = new TlsServerScene(options);
        try
        {
            await TlsServerScene.ReadToEndAsync(await scene.HandshakeAsync(new SslClientAuthenticationOptions { ApplicationProtocols = [new("mux/1")] }));
        }
        catch (Exception e) when (e is IOException or AuthenticationException)
        {
            // A client that is told before it is through.
        }

        await CountsAsync(scene, "Certificate", 1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Clients_without_a_place_count_by_the_limit()
    {
        var options = TlsTransports.Server();
        options.MaxPendingHandshakesPerAddress = 2;
        using var scene = new TlsServerScene(options, new ManualTime()); // time that passes would give them the places of others
        for (int i = 0; i < 2 + Clients; i++) await scene.ConnectAsync();
        await CountsAsync(scene, "PendingHandshakesOfAddress", Clients);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_without_a_place_is_told_of_the_limit_and_not_that_the_server_speaks_no_TLS()
    {
        var options = TlsTransports.Server();
        options.MaxPendingHandshakesPerAddress = 1;
        using var scene = new TlsServerScene(options, new ManualTime());
        await scene.ConnectAsync();
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = scene.Address.ToString(), Tls = TlsTransports.Client() });
        var failure = await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken).Within("the refusal"));
        Assert.Contains("or it has as many unfinished handshakes as it allows, in total or from this address (its log then has TlsHandshakeRefused)", failure.Message, StringComparison.Ordinal);
        Assert.Contains("1 handshakes from its address are pending, the limit set by MaxPendingHandshakesPerAddress", (await scene.Logs.ReachAsync("TlsHandshakeRefused"))[0].Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_listener_that_is_gone_counts_no_more()
    {
        var scene = new TlsServerScene();
        (await scene.ConnectAsync()).Dispose();
        await CountsAsync(scene, "ConnectionLost", 1);
        scene.Dispose();
        Assert.Empty(scene.Failures());
    }

    private static async Task CountsAsync(TlsServerScene scene, string reason, int expected)
    {
        await Eventually.Holds(() => scene.Failures().GetValueOrDefault(reason) >= expected, () => $"{expected} failures {reason}; there are {string.Join(", ", scene.Failures())}");
        Assert.Equal([new(reason, expected)], scene.Failures());
        Assert.Equal(0, scene.Accepted.Count);
    }
}
