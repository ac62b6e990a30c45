using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Mux.Runtime;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;
using Mux.Transports;
using Mux.Transports.Tls;

namespace Mux.Core.Tests.Transports.Tls;

/// <summary>Which certificates are taken by clients and by servers, and what is told of those that are not.</summary>
public sealed class TlsCertificateTests
{
    private static readonly TestAuthority s_stranger = new();

    public static TheoryData<string, string> BadServers => new()
    {
        { "expired", "is expired or not valid yet" },
        { "usage", "is not meant for a server (extended key usage)" },
        { "stranger", "does not lead to a trusted root" },
        { "host", "is not for the host '127.0.0.1'" },
        { "revocation", "may be revoked: its revocation status could not be checked" },
    };

    public static TheoryData<string, string> BadClients => new()
    {
        { "missing", "the client sent no certificate" },
        { "expired", "the client's certificate is expired or not valid yet" },
        { "usage", "the client's certificate is not meant for a client (extended key usage)" },
        { "no usage", "the client's certificate is not meant for a client (extended key usage)" },
        { "stranger", "the client's certificate does not lead to a trusted root" },
        { "revocation", "the client's certificate may be revoked: its revocation status could not be checked" },
    };

    [Theory(Timeout = 60_000), MemberData(nameof(BadServers))]
    public async Task A_client_does_not_connect_to_a_server_with_a_bad_certificate(string fault, string reason)
    {
        var server = new TlsServerOptions { Certificate = Issue(fault, CertificateWish.Server) };
        var client = TlsTransports.Client();
        if (fault == "revocation") client.Revocation = X509RevocationMode.Online;
        var transport = TlsTransports.Create(server, client);
        using var listener = transport.Listen(TlsTransports.FreeAddress, link => link.Close());
        var dialer = new LinkProbe("dialer");
        dialer.Start(transport.CreateLink(listener.Address));
        await dialer.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.ConnectFailed, dialer.Cause);
        Assert.StartsWith($"Cannot connect to {listener.Address}: TLS: the server's certificate ", dialer.Error!.Message, StringComparison.Ordinal);
        Assert.Contains(reason, dialer.Error.Message, StringComparison.Ordinal);
    }

    [Theory(Timeout = 60_000), MemberData(nameof(BadClients))]
    public async Task A_server_does_not_let_in_a_client_with_a_bad_certificate(string fault, string reason)
    {
        using var scene = new TlsServerScene(Mutual(fault == "revocation" ? X509RevocationMode.Online : X509RevocationMode.NoCheck));
        await PresentAsync(scene, fault == "missing" ? null : Issue(fault, CertificateWish.Client));
        Assert.Contains(reason, await scene.RefusalAsync(), StringComparison.Ordinal);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_revoked_client_is_refused_and_another_one_is_let_in()
    {
        using var list = new RevocationList(TestAuthority.Shared);
        var wish = CertificateWish.Client with { RevocationList = list.Address };
        var (good, revoked) = (TestAuthority.Shared.Issue(wish), TestAuthority.Shared.Issue(wish));
        list.Revoke(revoked);
        var client = TlsTransports.Client();
        client.Certificate = good;
        await using (await LinkPair.ConnectAsync(TlsTransports.Create(Mutual(X509RevocationMode.Online), client), TlsTransports.FreeAddress)) Assert.NotEqual(0, list.Requests.Count);

        using var scene = new TlsServerScene(Mutual(X509RevocationMode.Online));
        await PresentAsync(scene, revoked);
        Assert.Contains("the client's certificate is revoked", await scene.RefusalAsync(), StringComparison.Ordinal);
    }

    [Fact(Timeout = 60_000)]
    public async Task Nothing_is_fetched_for_a_certificate_that_is_not_trusted()
    {
        using var list = new RevocationList(s_stranger);
        var wish = CertificateWish.Client with { RevocationList = list.Address };
        var policy = new PeerPolicy(TestAuthority.Shared.Roots, X509RevocationMode.Online, PeerPolicy.ClientAuthentication);
        Assert.Equal(X509RevocationMode.NoCheck, policy.ToChainPolicy().RevocationMode); // systems differ in what they would fetch before they have judged the root

        using var scene = new TlsServerScene(Mutual(X509RevocationMode.Online));
        await PresentAsync(scene, s_stranger.Issue(wish));
        Assert.Contains("the client's certificate does not lead to a trusted root", await scene.RefusalAsync(), StringComparison.Ordinal);
        Assert.Equal(0, list.Requests.Count);
    }

    [Fact(Timeout = 60_000)]
    public async Task Both_sides_with_good_certificates_meet()
    {
        var client = TlsTransports.Client();
        client.Certificate = TestAuthority.Shared.Issue(CertificateWish.Client);
        await using var pair = await LinkPair.ConnectAsync(TlsTransports.Create(Mutual(X509RevocationMode.NoCheck), client), TlsTransports.FreeAddress);
        pair.Dialer.Send("hello"u8);
        await pair.Acceptor.Consumed.ReachAsync(5);
    }

    [Fact(Timeout = 60_000)]
    public async Task A_client_may_expect_another_name_than_the_host_of_the_address()
    {
        var server = new TlsServerOptions { Certificate = TestAuthority.Shared.Issue(CertificateWish.Server with { Host = "desk.example" }) };
        var client = TlsTransports.Client();
        client.TargetHost = "desk.example";
        await using var pair = await LinkPair.ConnectAsync(TlsTransports.Create(server, client), TlsTransports.FreeAddress);
    }

    [Fact(Timeout = 60_000)]
    public async Task The_server_name_of_an_address_is_expected_and_not_its_host()
    {
        var server = new TlsServerOptions { Certificate = TestAuthority.Shared.Issue(CertificateWish.Server with { Host = "orders.prod" }) };
        var transport = TlsTransports.Create(server);
        using var listener = transport.Listen(TlsTransports.FreeAddress, link => link.Start(new EchoHandler(link)));
        var dialer = new LinkProbe("dialer");
        dialer.Start(transport.CreateLink(listener.Address.WithServerName("orders.prod")));
        await dialer.Connected.WaitAsync();
        dialer.Close();
        await dialer.Closed.WaitAsync();

        var wrong = new LinkProbe("dialer with another name");
        var address = listener.Address.WithServerName("stock.prod");
        wrong.Start(transport.CreateLink(address));
        await wrong.Closed.WaitAsync();
        Assert.StartsWith($"Cannot connect to {address}: TLS: the server's certificate is not for the host 'stock.prod'", wrong.Error!.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = 60_000)]
    public async Task The_target_host_of_the_options_counts_more_than_the_name_of_an_address()
    {
        var server = new TlsServerOptions { Certificate = TestAuthority.Shared.Issue(CertificateWish.Server with { Host = "desk.example" }) };
        var client = TlsTransports.Client();
        client.TargetHost = "desk.example";
        var transport = TlsTransports.Create(server, client);
        using var listener = transport.Listen(TlsTransports.FreeAddress, link => link.Start(new EchoHandler(link)));
        var dialer = new LinkProbe("dialer");
        dialer.Start(transport.CreateLink(listener.Address.WithServerName("orders.prod")));
        await dialer.Connected.WaitAsync();
        dialer.Close();
        await dialer.Closed.WaitAsync();
    }

    [Fact]
    public async Task A_dial_that_fails_names_the_address_with_its_server_name()
    {
        using var closed = new System.Net.Sockets.Socket(System.Net.Sockets.AddressFamily.InterNetwork, System.Net.Sockets.SocketType.Stream, System.Net.Sockets.ProtocolType.Tcp);
        closed.Bind(new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 0)); // bound and not listening: the port refuses, and nobody else gets it
        var address = MuxAddress.Parse($"muxs://127.0.0.1:{((System.Net.IPEndPoint)closed.LocalEndPoint!).Port}?name=orders.prod");
        var dialer = new LinkProbe("dialer");
        dialer.Start(TlsTransports.Create().CreateLink(address));
        await dialer.Closed.WaitAsync();
        Assert.Equal($"Cannot connect to {address}: connection refused.", dialer.Error!.Message);
    }

    private static async Task PresentAsync(TlsServerScene scene, X509Certificate2? certificate)
    {
        var options = new SslClientAuthenticationOptions { ApplicationProtocols = [new("mux/1")] };
        if (certificate is not null) options.ClientCertificateContext = SslStreamCertificateContext.Create(certificate, null, offline: true);
        try
        {
            Assert.Empty(await TlsServerScene.ReadToEndAsync(await scene.HandshakeAsync(options)));
        }
        catch (Exception e) when (e is IOException or System.Security.Authentication.AuthenticationException)
        {
            // A client that is told before it is through.
        }
    }

    private static TlsServerOptions Mutual(X509RevocationMode revocation)
    {
        var options = TlsTransports.Server();
        options.TrustedRoots = TestAuthority.Shared.Roots;
        options.Revocation = revocation;
        return options;
    }

    private static X509Certificate2 Issue(string fault, CertificateWish good) => fault switch
    {
        "expired" => TestAuthority.Shared.Issue(good with { ValidDays = -1 }),
        "usage" => TestAuthority.Shared.Issue(good with { Usage = "1.3.6.1.5.5.7.3.4" }), // mail
        "no usage" => TestAuthority.Shared.Issue(good with { Usage = null }),
        "stranger" => s_stranger.Issue(good),
        "host" => TestAuthority.Shared.Issue(good with { Host = "desk.example" }),
        _ => TestAuthority.Shared.Issue(good),
    };
}
