using System.Net;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Logging;

namespace Mux.AspNetCore.Tests.Kestrel;

/// <summary>Endpoints of Kestrel without TLS. The tests reach them over loopback, and middleware gives the connection the address of another machine.</summary>
public sealed class PlaintextEndpointTests
{
    private const int TestLimit = 90_000;

    [Theory(Timeout = TestLimit)]
    [InlineData("192.0.2.7")]
    [InlineData("::ffff:192.0.2.7")]
    [InlineData("2001:db8::7")]
    public async Task Other_machines_are_refused_without_encryption_and_the_log_says_once_what_to_do(string remote)
    {
        await using var application = await StartAsync(remote);
        var channel = application.CreateChannel();
        for (int i = 0; i < 2; i++)
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
            Assert.Equal(MuxStatus.Unavailable, error.Status);
        }

        var refused = await application.Logs.ReachAsync("EndpointPlaintextRefused", 2);
        Assert.Equal([LogLevel.Warning, .. Enumerable.Repeat(LogLevel.Debug, refused.Count - 1)], refused.Select(entry => entry.Level));
        Assert.StartsWith($"The connection from {remote} to 127.0.0.1:{application.Port} is refused: it comes from another machine, without encryption.", refused[0].Text, StringComparison.Ordinal);
        Assert.Contains("call UseMuxHttps instead of UseMux, or set AllowPlaintext of the server (Mux:Server:AllowPlaintext)", refused[0].Text, StringComparison.Ordinal);
        Assert.Equal(0, application.Server.GetStatistics().OpenConnections);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Other_machines_are_served_without_encryption_where_AllowPlaintext_says_so_and_the_log_warns_once()
    {
        await using var application = await StartAsync("192.0.2.7", options => options.AllowPlaintext = true);
        for (int id = 1; id <= 2; id++) Assert.Equal(id, (await application.CreateClient().Ask(new() { Id = id }, cancellationToken: TestContext.Current.CancellationToken)).Id);
        var warned = Assert.Single(application.Logs.Of("EndpointServesPlaintext"));
        Assert.Equal((LogLevel.Warning, $"Other machines can reach the endpoint 127.0.0.1:{application.Port} without encryption: AllowPlaintext is set."), (warned.Level, warned.Text));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Other_machines_are_served_behind_the_TLS_of_Kestrel()
    {
        using var certificate = LoopbackTls.CreateCertificate();
        await using var application = await Application.StartAsync((endpoint, _) =>
        {
            Pretend(endpoint, "192.0.2.7");
            endpoint.UseHttps(certificate).UseMux();
        });
        var client = application.CreateClient(options => options.Transport = LoopbackTls.Trusting(certificate));
        Assert.Equal(1, (await client.Ask(new() { Id = 1 }, cancellationToken: TestContext.Current.CancellationToken)).Id);
        Assert.Empty(application.Logs.Of("EndpointPlaintextRefused"));
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("127.0.0.2")]
    [InlineData("::ffff:127.0.0.2")]
    [InlineData("::1")]
    [InlineData(null)]
    public async Task This_machine_is_served_without_a_word(string? remote)
    {
        await using var application = await StartAsync(remote);
        Assert.Equal(1, (await application.CreateClient().Ask(new() { Id = 1 }, cancellationToken: TestContext.Current.CancellationToken)).Id);
        Assert.DoesNotContain(application.Logs.Entries, entry => entry.Name?.StartsWith("Endpoint", StringComparison.Ordinal) == true);
    }

    private static Task<Application> StartAsync(string? remote, Action<MuxServerOptions>? options = null) => Application.StartAsync(
        (endpoint, _) =>
        {
            Pretend(endpoint, remote);
            endpoint.UseMux();
        },
        options);

    /// <param name="endpoint">Whose connections are changed before anything else sees them.</param>
    /// <param name="remote">Where they seem to come from; null is the end of a Unix domain socket, which has no address.</param>
    private static void Pretend(ListenOptions endpoint, string? remote) => endpoint.Use(next => connection =>
    {
        connection.RemoteEndPoint = remote is null ? null : new IPEndPoint(IPAddress.Parse(remote), 50_000);
        return next(connection);
    });
}
