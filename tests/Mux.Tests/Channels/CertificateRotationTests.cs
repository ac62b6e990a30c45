using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports.Tls;

namespace Mux.Tests.Channels;

/// <summary>A server whose certificate is replaced again and again while clients connect and call.</summary>
public sealed class CertificateRotationTests : IDisposable
{
    private const int Rotations = 25;
    private const int Dialers = 3;

    private readonly string _folder = Directory.CreateTempSubdirectory("mux-tls-").FullName;
    private readonly ManualTime _time = new(); // the server looks at its files once a second of it
    private readonly LogCollector _serverLogs = new();
    private readonly LogCollector _clientLogs = new();
    private readonly Counter _connected = new("connections made under load");
    private readonly Counter _called = new("calls over the connection that was there before");
    private readonly List<SslStream> _probes = [];
    private volatile bool _isOver;

    private string CertificatePath => Path.Combine(_folder, "server.pem");

    private string KeyPath => Path.Combine(_folder, "server.key");

    public void Dispose()
    {
        foreach (var probe in _probes) probe.Dispose();
        Directory.Delete(_folder, recursive: true);
        _serverLogs.Dispose();
        _clientLogs.Dispose();
    }

    [Fact(Timeout = 90_000)]
    public async Task Certificates_that_change_every_second_under_load_fail_no_handshake_and_no_call()
    {
        Write();
        await using var server = StartServer();
        await using var steady = Connect(server.Address);
        var load = Enumerable.Range(0, Dialers).Select(_ => Task.Run(() => DialAsync(server.Address), TestContext.Current.CancellationToken)).Append(Task.Run(() => CallAsync(steady.CreateProxy<IDesk>()), TestContext.Current.CancellationToken)).ToList();

        for (int rotation = 1; rotation <= Rotations; rotation++)
        {
            var expected = Write();
            _time.Advance(TimeSpan.FromSeconds(1));
            await Eventually.Holds(() => IsTold(expected), () => $"a handshake that finds certificate {rotation}"); // whichever comes next
            Assert.Equal(expected.Thumbprint, await PresentedAsync(server.Address));
            await Task.WhenAll(_connected.ReachAsync(_connected.Count + Dialers), _called.ReachAsync(_called.Count + 1));
        }

        _isOver = true;
        await Task.WhenAll(load).Within("the end of the load");
        Assert.Empty(_serverLogs.Of("TlsHandshakeFailed"));
        Assert.Empty(_serverLogs.Of("TlsHandshakeRefused"));
        Assert.Empty(_clientLogs.Of("ClientConnectFailed"));
        Assert.Equal(_connected.Count + 1, _clientLogs.Of("ClientConnectionOpened").Count); // the steady one did not dial again
    }

    private async Task DialAsync(MuxAddress address)
    {
        while (!_isOver)
        {
            await using var channel = Connect(address);
            Assert.Equal(3, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 3 }).AsTask().Within("the reply over a new connection")).Id);
            _connected.Add();
        }
    }

    private async Task CallAsync(IDesk desk)
    {
        for (int id = 0; !_isOver; id++)
        {
            Assert.Equal(id, (await desk.AskPlainly(new Question { Id = id }).AsTask().Within("the reply over the old connection")).Id);
            _called.Add();
        }
    }

    /// <summary>The certificate that a connection made now is shown.</summary>
    private async Task<string> PresentedAsync(MuxAddress address)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(address.Host, address.Port, TestContext.Current.CancellationToken);
        var stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
        _probes.Add(stream);
        var policy = new X509ChainPolicy { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.AddRange(TestAuthority.Shared.Roots);
        var options = new SslClientAuthenticationOptions { TargetHost = "localhost", ApplicationProtocols = [new("mux/1")], CertificateChainPolicy = policy };
        await stream.AuthenticateAsClientAsync(options, TestContext.Current.CancellationToken).Within("a handshake");
        return ((X509Certificate2)stream.RemoteCertificate!).Thumbprint;
    }

    private bool IsTold(X509Certificate2 certificate) => _serverLogs.Of("TlsCertificateReloaded").Any(entry => entry.Text.Contains(certificate.Thumbprint, StringComparison.Ordinal));

    private MuxServer StartServer()
    {
        var tls = new TlsServerOptions { CertificatePath = CertificatePath, CertificateKeyPath = KeyPath, HandshakeTimeout = TimeSpan.FromMinutes(10) }; // of the clock that runs fast here
        var transport = new TlsTransport(tls, null, _serverLogs.CreateLogger("Mux.Transport"), _time);
        var server = new MuxServer(new MuxServerOptions { Address = "muxs://127.0.0.1:0", Transport = transport }, _serverLogs).AddService<IDesk>(new Desk());
        server.Start();
        return server;
    }

    private MuxChannel Connect(MuxAddress address) => MuxChannel.Create(new MuxChannelOptions { Address = address.ToString(), Tls = TlsTransports.Client() }, _clientLogs);

    /// <summary>As tools do: one file after the other, with handshakes in between that see half of it.</summary>
    private X509Certificate2 Write()
    {
        var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        File.WriteAllText(KeyPath, certificate.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());
        _time.Advance(TimeSpan.FromSeconds(1));
        File.WriteAllText(CertificatePath, certificate.ExportCertificatePem());
        return certificate;
    }
}
