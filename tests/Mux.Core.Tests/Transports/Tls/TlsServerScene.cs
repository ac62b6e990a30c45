using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Mux.Telemetry;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;
using Mux.Transports;
using Mux.Transports.Tls;

namespace Mux.Core.Tests.Transports.Tls;

/// <summary>A listener, what it logs and whom it lets in, and clients that do as a test says.</summary>
internal sealed class TlsServerScene : IDisposable
{
    private readonly ITransportListener _listener;
    private readonly List<IDisposable> _clients = [];

    public TlsServerScene(TlsServerOptions? options = null, TimeProvider? time = null)
    {
        var transport = TlsTransports.Create(options, logger: Logs.CreateLogger("Mux.Transport"), time: time);
        _listener = transport.Listen(TlsTransports.FreeAddress, link =>
        {
            link.Close();
            Accepted.Add();
        });
    }

    public LogCollector Logs { get; } = new();

    public MuxAddress Address => _listener.Address;

    public Counter Accepted { get; } = new("links let in");

    /// <summary>Connects and says nothing.</summary>
    /// <param name="from">The address of the client; null for the usual one.</param>
    public async Task<Socket> ConnectAsync(string? from = null)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        _clients.Add(socket);
        if (from is not null) socket.Bind(new IPEndPoint(IPAddress.Parse(from), 0));
        await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, Address.Port), TestContext.Current.CancellationToken);
        return socket;
    }

    /// <summary>A handshake as the options say. A client of TLS 1.3 may be through before the server has judged it.</summary>
    public async Task<SslStream> HandshakeAsync(SslClientAuthenticationOptions options)
    {
        var stream = new SslStream(new NetworkStream(await ConnectAsync(), ownsSocket: true));
        _clients.Add(stream);
        options.TargetHost = "localhost";
        options.CertificateChainPolicy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        options.CertificateChainPolicy.CustomTrustStore.AddRange(TestAuthority.Shared.Roots);
        await stream.AuthenticateAsClientAsync(options, TestContext.Current.CancellationToken);
        return stream;
    }

    /// <summary>Everything the server still sends.</summary>
    public static async Task<byte[]> ReadToEndAsync(Stream stream)
    {
        using var all = new MemoryStream();
        try
        {
            await stream.CopyToAsync(all, TestContext.Current.CancellationToken).Within("the server ends the connection");
        }
        catch (IOException)
        {
            // A reset or an alert is an end as well.
        }

        return all.ToArray();
    }

    /// <summary>How many handshakes failed here, by reason, as the meters of a server tell.</summary>
    public IReadOnlyDictionary<string, long> Failures()
    {
        using var meters = new MeterReadings();
        MuxMetrics.For(meters);
        return meters.Read().Where(reading => reading.Instrument == "mux.server.failed_tls_handshakes" && reading.IsAt(Address))
            .ToDictionary(reading => reading.Tag("mux.tls.failure")!, reading => reading.Value);
    }

    /// <summary>The reason in the log, for which nobody was let in.</summary>
    public async Task<string> RefusalAsync()
    {
        var entry = (await Logs.ReachAsync("TlsHandshakeFailed"))[0];
        Assert.Equal(0, Accepted.Count);
        return entry.Text;
    }

    public void Dispose()
    {
        foreach (var client in _clients) client.Dispose();
        _listener.Dispose();
        Logs.Dispose();
    }
}
