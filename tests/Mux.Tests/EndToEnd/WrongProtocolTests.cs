using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;
using Mux.Tests.Contracts;
using Mux.Transports.Tls;

namespace Mux.Tests.EndToEnd;

/// <summary>Sides that do not speak the same: both say in one line what is wrong.</summary>
[Collection(nameof(EndToEndTests))]
public sealed class WrongProtocolTests : IAsyncDisposable
{
    private const int TestLimit = 90_000;

    private readonly LogCollector _logs = new();
    private readonly List<IAsyncDisposable> _servers = [];
    private readonly List<IDisposable> _sockets = [];

    public async ValueTask DisposeAsync()
    {
        foreach (var socket in _sockets) socket.Dispose();
        foreach (var server in _servers) await server.DisposeAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_with_TLS_at_a_server_without()
    {
        var server = Start();
        var failure = await FailToConnectAsync($"muxs://127.0.0.1:{server.Port}", TlsTransports.Client());
        Assert.Contains(
            "the server closed the connection without an answer: it listens without TLS, at a mux address, or it has as many unfinished handshakes as it allows",
            failure,
            StringComparison.Ordinal);
        await AssertLogged("ServerPeerForeign", "a peer speaks TLS to this plaintext listener");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_without_TLS_at_a_server_with_it()
    {
        var server = Start(TlsTransports.Server());
        var failure = await FailToConnectAsync($"mux://127.0.0.1:{server.Port}");
        Assert.True(failure.Contains("the port probably expects TLS", StringComparison.Ordinal) || failure.Contains("answers with TLS", StringComparison.Ordinal), failure);
        await AssertLogged("TlsHandshakeFailed", "the client speaks Mux without TLS: it connects to a mux address, and this listener needs muxs");
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("\u0015\u0003\u0003\0\u0002\u0002\u0028", "the peer answers with TLS. Connect to a muxs address.")]
    [InlineData("HTTP/1.1 400 Bad Request\r\n\r\n", "the peer answers with HTTP")]
    [InlineData("", "If this address has never worked, the port probably expects TLS (dial a muxs address) or belongs to another program. If it has, ")]
    public async Task A_client_without_TLS_at_something_else(string answer, string says)
    {
        int port = Answer(answer);
        Assert.Contains(says, await FailToConnectAsync($"mux://127.0.0.1:{port}"), StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("HTTP/1.1 400 Bad Request\r\n\r\n", "the server answers with HTTP instead of TLS")]
    [InlineData("220 mail.example\r\n", "the server did not answer with TLS")]
    [InlineData("", "the server closed the connection without an answer")]
    public async Task A_client_with_TLS_at_something_else(string answer, string says)
    {
        int port = Answer(answer);
        Assert.Contains(says, await FailToConnectAsync($"muxs://127.0.0.1:{port}", TlsTransports.Client()), StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("GET /\u001b[31mevil HTTP/1.1\r\n\r\n")]
    [InlineData("POST /evil HTTP/1.1\r\n\r\n")]
    [InlineData("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nevil")]
    public async Task HTTP_at_a_server_is_told_once_a_second_and_no_byte_of_it_is_repeated(string request)
    {
        var server = Start();
        for (int i = 0; i < 20; i++) await SendAsync(server.Port, request);
        var entries = await AssertLogged("ServerPeerForeign", "a peer speaks HTTP to this listener");
        Assert.InRange(entries, 1, 10);
        Assert.DoesNotContain(_logs.Entries, entry => entry.Text.Contains("evil", StringComparison.Ordinal));
    }

    [Fact(Timeout = TestLimit)]
    public async Task HTTP_at_a_server_with_TLS()
    {
        var server = Start(TlsTransports.Server());
        await SendAsync(server.Port, "GET / HTTP/1.1\r\n\r\n");
        await AssertLogged("TlsHandshakeFailed", "the client speaks HTTP, without TLS");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_without_a_certificate_at_a_server_that_demands_one()
    {
        var options = TlsTransports.Server();
        (options.TrustedRoots, options.Revocation) = (TestAuthority.Shared.Roots, X509RevocationMode.NoCheck);
        var server = Start(options);
        var failure = await FailToConnectAsync($"muxs://127.0.0.1:{server.Port}", TlsTransports.Client());
        Assert.Contains("the server requires a client certificate, and this channel has none: set Tls.CertificatePath", failure, StringComparison.Ordinal);
        await AssertLogged("TlsHandshakeFailed", "the client sent no certificate");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_whose_certificate_the_server_refuses()
    {
        var options = TlsTransports.Server();
        (options.TrustedRoots, options.Revocation) = (TestAuthority.Shared.Roots, X509RevocationMode.NoCheck);
        var server = Start(options);
        var client = TlsTransports.Client();
        client.Certificate = new TestAuthority().Issue(CertificateWish.Client);
        var failure = await FailToConnectAsync($"muxs://127.0.0.1:{server.Port}", client);
        Assert.Contains("TLS: the server asked for a client certificate, and closed the connection after it got that of this channel (CN=localhost): it probably refused the certificate", failure, StringComparison.Ordinal);
        await AssertLogged("TlsHandshakeFailed", "does not lead to a trusted root");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_with_a_certificate_that_no_server_asked_for()
    {
        var limited = new MuxServer(new MuxServerOptions { Address = "muxs://127.0.0.1:0", Tls = TlsTransports.Server(), MaxConnections = 1 }, _logs).AddService<IDesk>(new Desk());
        _servers.Add(limited);
        limited.Start();
        await using var first = MuxChannel.Create(new MuxChannelOptions { Address = limited.Address.ToString(), Tls = TlsTransports.Client() });
        await first.ConnectAsync(TestContext.Current.CancellationToken).Within("the only connection");
        var client = TlsTransports.Client();
        client.Certificate = TestAuthority.Shared.Issue(CertificateWish.Client);
        var failure = await FailToConnectAsync(limited.Address.ToString(), client);
        Assert.Contains("it has reached a limit that its log names: MaxConnections", failure, StringComparison.Ordinal);
        Assert.DoesNotContain("client certificate", failure, StringComparison.Ordinal);
        Assert.DoesNotContain("expects TLS", failure, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_program_at_a_Unix_socket_is_not_said_to_expect_TLS()
    {
        var path = Path.Combine(Path.GetTempPath(), $"mux-{Guid.NewGuid():N}.sock");
        var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        _sockets.Add(listener);
        listener.Bind(new UnixDomainSocketEndPoint(path));
        listener.Listen();
        _ = AnswerAsync(listener, []);
        var failure = await FailToConnectAsync($"mux+unix://{path}");
        File.Delete(path);
        Assert.Contains("did not answer the handshake", failure, StringComparison.Ordinal);
        Assert.DoesNotContain("expects TLS", failure, StringComparison.Ordinal);
    }

    private MuxAddress Start(TlsServerOptions? tls = null)
    {
        var server = new MuxServer(new MuxServerOptions { Address = tls is null ? "mux://127.0.0.1:0" : "muxs://127.0.0.1:0", Tls = tls }, _logs).AddService<IDesk>(new Desk());
        _servers.Add(server);
        server.Start();
        return server.Address;
    }

    private static async Task<string> FailToConnectAsync(string address, TlsClientOptions? tls = null)
    {
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = address, Tls = tls });
        var failure = await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken).Within("the failure to connect"));
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
        Assert.DoesNotContain('\n', failure.Message);
        return failure.Message;
    }

    private async Task<int> AssertLogged(string name, string says)
    {
        await Eventually.Holds(() => _logs.Of(name).Count > 0, () => $"{name} in the log");
        Assert.Contains(says, _logs.Of(name)[0].Text, StringComparison.Ordinal);
        return _logs.Of(name).Count;
    }

    /// <summary>Listens, and answers whatever comes with the same, then ends.</summary>
    private int Answer(string answer)
    {
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        _sockets.Add(listener);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        _ = AnswerAsync(listener, Encoding.Latin1.GetBytes(answer));
        return ((IPEndPoint)listener.LocalEndPoint!).Port;
    }

    private static async Task AnswerAsync(Socket listener, byte[] answer)
    {
        using var socket = await listener.AcceptAsync();
        var request = new byte[4096];
        await socket.ReceiveAsync(request);
        await socket.SendAsync(answer);
        socket.Shutdown(SocketShutdown.Send);
        while (await socket.ReceiveAsync(request) > 0)
        {
            // Until the client ends: a reset would overtake the answer.
        }
    }

    private static async Task SendAsync(int port, string request)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, port), TestContext.Current.CancellationToken);
        await socket.SendAsync(Encoding.Latin1.GetBytes(request), TestContext.Current.CancellationToken);
        socket.Shutdown(SocketShutdown.Send);
        try
        {
            await socket.ReceiveAsync(new byte[16], TestContext.Current.CancellationToken);
        }
        catch (SocketException)
        {
            // Closed with bytes that were not read.
        }
    }
}
