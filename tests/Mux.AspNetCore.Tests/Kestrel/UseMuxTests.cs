using System.Net;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Mux.AspNetCore.Endpoints;
using Mux.Identity;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;

namespace Mux.AspNetCore.Tests.Kestrel;

/// <summary>Mux on an endpoint of Kestrel.</summary>
public sealed class UseMuxTests
{
    private const int TestLimit = 90_000;

    [Fact(Timeout = TestLimit)]
    public async Task Calls_and_streams_run_over_an_endpoint_of_Kestrel()
    {
        await using var application = await StartAsync();
        await Exchange.RunAsync(application.CreateClient());
        Assert.Equal(1, application.Server.GetStatistics().OpenConnections);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_and_streams_run_behind_the_TLS_of_Kestrel()
    {
        using var certificate = LoopbackTls.CreateCertificate();
        await using var application = await Application.StartAsync((endpoint, _) => endpoint.UseHttps(certificate).UseMux());
        await Exchange.RunAsync(application.CreateClient(options => options.Transport = LoopbackTls.Trusting(certificate)));
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_log_has_the_address_of_the_client()
    {
        await using var application = await StartAsync();
        await application.CreateChannel().ConnectAsync(TestContext.Current.CancellationToken);
        var opened = Assert.Single(await application.Logs.ReachAsync("ServerConnectionOpened"));
        Assert.Contains($"from {Assert.Single(application.Connections).RemoteEndPoint}", opened.Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Open_calls_finish_when_the_host_stops()
    {
        await using var application = await StartAsync();
        var call = application.CreateClient().Ask(new() { Id = 7, Text = "wait" }, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        await application.Service.Started.ReachAsync(1);
        var stopping = application.StopAsync();
        Assert.False(call.IsCompleted);
        application.Service.Answer.Set();
        Assert.Equal(7, (await call.Within("the answer of a server that stops")).Id);
        await stopping.Within("the stop of the host");
        Assert.Equal(0, application.Server.GetStatistics().OpenConnections);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_outlives_the_drain_is_failed_and_the_host_stops()
    {
        await using var application = await StartAsync(options => options.DrainTimeout = TimeSpan.FromMilliseconds(50));
        var call = application.CreateClient().Ask(new() { Id = 7, Text = "wait" }, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        await application.Service.Started.ReachAsync(1);
        var stopping = application.StopAsync();
        var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure of the call"));
        Assert.Equal(MuxStatus.Unavailable, error.Status);
        await stopping.Within("the stop of the host");
    }

    [Fact(Timeout = TestLimit)]
    public async Task An_aborted_connection_is_lost_to_both_sides_and_the_next_call_dials_again()
    {
        await using var application = await StartAsync();
        var client = application.CreateClient();
        var call = client.Ask(new() { Id = 1, Text = "wait" }, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        await application.Service.Started.ReachAsync(1);
        Assert.Single(application.Connections).Abort(new ConnectionAbortedException("The test cuts it."));
        var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure of the call"));
        Assert.Equal(MuxStatus.Unavailable, error.Status);
        var closed = Assert.Single(await application.Logs.ReachAsync("ServerConnectionClosed"));
        Assert.Contains("ConnectionLost", closed.Text, StringComparison.Ordinal);
        Assert.Equal(2, (await client.Ask(new() { Id = 2 }, cancellationToken: TestContext.Current.CancellationToken)).Id);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_peer_that_reads_nothing_does_not_keep_its_socket_when_Mux_has_left_it()
    {
        await using var application = await StartAsync(DeafPeer.Configure);
        await DeafPeer.RunAsync(application, DeafPeer.Plain, $"mux://127.0.0.1:{application.Port}");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_muxs_client_reaches_an_endpoint_with_UseHttps_and_UseMux()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        await using var application = await Application.StartAsync((endpoint, _) => endpoint.UseHttps(certificate).UseMux());
        await Exchange.RunAsync(application.CreateClient(options => (options.Address, options.Tls) = ($"muxs://127.0.0.1:{application.Port}", TlsTransports.Client())));
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_certificate_of_a_client_that_Kestrel_took_is_the_caller()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        using var own = TestAuthority.Shared.Issue(CertificateWish.Client with { Host = "worker.example", Uris = ["spiffe://example/worker"] });
        await using var application = await Application.StartAsync(
            (endpoint, _) => endpoint.UseHttps(certificate, https =>
            {
                https.ClientCertificateMode = ClientCertificateMode.RequireCertificate;
                https.ClientCertificateValidation = (presented, _, _) => presented.Thumbprint == own.Thumbprint;
            }).UseMux(),
            options => options.Identity = new MuxIdentityOptions { TrustTransport = true });
        var tls = TlsTransports.Client();
        tls.Certificate = own;
        var client = application.CreateClient(options => (options.Address, options.Tls) = ($"muxs://127.0.0.1:{application.Port}", tls));
        await client.Ask(new() { Id = 1 }, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal("spiffe://example/worker", application.Service.User?.Identity?.Name);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_shared_key_is_bound_to_the_certificate_of_Kestrel()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        var key = new SharedKey("orders-1", RandomNumberGenerator.GetBytes(32));
        await using var application = await Application.StartAsync(
            (endpoint, _) => endpoint.UseMuxHttps(certificate),
            options => options.Identity = new MuxIdentityOptions { SharedKeys = { key } });
        var address = $"muxs://127.0.0.1:{application.Port}";

        var bound = application.CreateClient(options => (options.Address, options.Tls, options.Credentials) = (address, TlsTransports.Client(), new SharedKeyCredentials(key)));
        await bound.Ask(new() { Id = 1 }, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal("orders-1", application.Service.User?.Identity?.Name);

        var unbound = application.CreateClient(options => (options.Address, options.Tls, options.Credentials) = (address, TlsTransports.Client(), new SharedKeyCredentials(key) { BindToTls = false }));
        var failure = await Assert.ThrowsAsync<MuxException>(() => unbound.Ask(new() { Id = 2 }, cancellationToken: TestContext.Current.CancellationToken).AsTask());
        Assert.Equal(MuxStatus.Unauthenticated, failure.Status);
    }

    [Theory]
    [InlineData("::ffff:10.0.0.7", "10.0.0.7:5")]
    [InlineData("10.0.0.7", "10.0.0.7:5")]
    [InlineData("::1", "[::1]:5")]
    public void An_address_of_IPv4_is_written_as_such(string address, string expected) => Assert.Equal(expected, RemoteAddress.Of(new IPEndPoint(IPAddress.Parse(address), 5)));

    [Fact(Timeout = TestLimit)]
    public async Task One_connection_too_many_is_refused()
    {
        await using var application = await StartAsync(options => options.MaxConnections = 1);
        await application.CreateChannel().ConnectAsync(TestContext.Current.CancellationToken);
        await Assert.ThrowsAsync<MuxException>(() => application.CreateChannel().ConnectAsync(TestContext.Current.CancellationToken));
        await application.Logs.ReachAsync("ServerConnectionRefused");
        Assert.Equal(1, application.Server.GetStatistics().OpenConnections);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_without_an_address_serves_its_endpoint_and_does_not_listen_itself()
    {
        await using var application = await StartAsync();
        await application.CreateClient().Ask(new() { Id = 1 }, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Contains("the Address in its options is empty", Assert.Throws<InvalidOperationException>(() => application.Server.Address).Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_with_an_address_listens_there_too()
    {
        await using var application = await StartAsync(options => options.Address = "mux://127.0.0.1:0");
        await application.CreateClient().Ask(new() { Id = 1 }, cancellationToken: TestContext.Current.CancellationToken);
        await application.CreateClient(options => options.Address = application.Server.Address.ToString()).Ask(new() { Id = 2 }, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal(2, application.Service.Started.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Two_applications_of_a_process_serve_their_own_connections()
    {
        await using var one = await StartAsync();
        await using var other = await StartAsync();
        await one.CreateClient().Ask(new() { Id = 1 }, cancellationToken: TestContext.Current.CancellationToken);
        await other.CreateClient().Ask(new() { Id = 2 }, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal((1, 1), (one.Service.Started.Count, other.Service.Started.Count));
    }

    [Fact]
    public void An_application_without_a_server_is_told_what_to_call()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, endpoint => endpoint.UseMux()));
        var error = Assert.Throws<InvalidOperationException>(builder.Build);
        Assert.Contains("call services.AddMuxServer()", error.Message, StringComparison.Ordinal);
    }

    private static Task<Application> StartAsync(Action<MuxServerOptions>? options = null) => Application.StartAsync(
        (endpoint, application) =>
        {
            application.Watch(endpoint);
            endpoint.UseMux();
        },
        options);
}
