using System.Security.Cryptography.X509Certificates;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports.Tls;

namespace Mux.Tests.Channels;

/// <summary>TLS by address and options, without a transport being named.</summary>
public sealed class TlsAddressTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-tls-").FullName;
    private readonly LogCollector _logs = new();

    private string CertificatePath => Path.Combine(_folder, "server.pem");

    private string KeyPath => Path.Combine(_folder, "server.key");

    public void Dispose()
    {
        Directory.Delete(_folder, recursive: true);
        _logs.Dispose();
    }

    [Fact(Timeout = 60_000)]
    public async Task A_server_and_a_channel_meet_with_certificates_on_both_sides()
    {
        var clientPath = Path.Combine(_folder, "client.pem");
        var rootsPath = Path.Combine(_folder, "roots.pem");
        var client = TestAuthority.Shared.Issue(CertificateWish.Client);
        await File.WriteAllTextAsync(clientPath, client.ExportCertificatePem() + "\n" + client.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem(), TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(rootsPath, TestAuthority.Shared.RootPem, TestContext.Current.CancellationToken);
        await using var server = StartServer(tls => (tls.TrustedRootsPath, tls.Revocation) = (rootsPath, X509RevocationMode.NoCheck));
        await using var channel = Connect(server.Address, new TlsClientOptions { TrustedRootsPath = rootsPath, CertificatePath = clientPath });
        Assert.Equal(5, await AskAsync(channel, 5));
    }

    [Fact(Timeout = 60_000)]
    public async Task A_connection_that_is_cut_before_TLS_says_so_is_lost()
    {
        await using var server = StartServer();
        var proxy = FaultProxy.Start(MuxAddress.Parse($"mux://127.0.0.1:{server.Address.Port}"));
        await using var channel = Connect(server.Address.WithPort(proxy.Address.Port));
        Assert.Equal(1, await AskAsync(channel, 1));
        await proxy.DisposeAsync();
        Assert.Contains("ConnectionLost", (await _logs.ReachAsync("ClientConnectionClosed"))[0].Text, StringComparison.Ordinal);
        Assert.Contains("ConnectionLost", (await _logs.ReachAsync("ServerConnectionClosed"))[0].Text, StringComparison.Ordinal);
    }

    private static async Task<int> AskAsync(MuxChannel channel, int id) => (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = id }).AsTask().Within("the reply")).Id;

    private MuxServer StartServer(Action<TlsServerOptions>? configure = null)
    {
        Write();
        var tls = new TlsServerOptions { CertificatePath = CertificatePath, CertificateKeyPath = KeyPath };
        configure?.Invoke(tls);
        var server = new MuxServer(new MuxServerOptions { Address = "muxs://127.0.0.1:0", Tls = tls }, _logs).AddService<IDesk>(new Desk());
        server.Start();
        return server;
    }

    private MuxChannel Connect(MuxAddress address, TlsClientOptions? tls = null) => MuxChannel.Create(new MuxChannelOptions { Address = address.ToString(), Tls = tls ?? TlsTransports.Client() }, _logs);

    private void Write()
    {
        var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        File.WriteAllText(CertificatePath, certificate.ExportCertificatePem());
        File.WriteAllText(KeyPath, certificate.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());
    }

    [Fact]
    public void A_server_has_no_server_name_in_its_address()
    {
        var options = new MuxServerOptions { Address = "muxs://127.0.0.1:0?name=orders.prod", Tls = TlsTransports.Server() };
        var failure = Assert.Single(options.Validate());
        Assert.Equal(nameof(options.Address), failure.Option);
        Assert.Contains("has a server name, which only a client reads", failure.Text, StringComparison.Ordinal);
    }
}
