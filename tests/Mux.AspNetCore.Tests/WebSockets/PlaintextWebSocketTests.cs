using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.HttpOverrides;
using Microsoft.Extensions.Logging;
using Mux.Transports.WebSockets;

namespace Mux.AspNetCore.Tests.WebSockets;

/// <summary>WebSockets by plain http. The tests reach them over loopback, and middleware gives the request the address of another machine.</summary>
public sealed class PlaintextWebSocketTests
{
    private const int TestLimit = 90_000;

    private const string Stranger = "192.0.2.7";

    [Fact(Timeout = TestLimit)]
    public async Task Other_machines_are_refused_by_plain_http_and_the_log_says_once_what_to_do()
    {
        await using var application = await StartAsync(map => Pretend(map, Stranger));
        var channel = application.CreateChannel(Dial(application));
        for (int i = 0; i < 2; i++)
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
            Assert.Contains("403", error.Message, StringComparison.Ordinal);
        }

        var refused = await application.Logs.ReachAsync("EndpointPlaintextRefused", 2);
        Assert.Equal([LogLevel.Warning, .. Enumerable.Repeat(LogLevel.Debug, refused.Count - 1)], refused.Select(entry => entry.Level));
        Assert.StartsWith($"The connection from {Stranger} to /mux is refused: it comes from another machine, without encryption.", refused[0].Text, StringComparison.Ordinal);
        Assert.Contains("UseForwardedHeaders with X-Forwarded-Proto), or set AllowPlaintext of the server", refused[0].Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Other_machines_are_served_by_plain_http_where_AllowPlaintext_says_so_and_the_log_warns()
    {
        await using var application = await StartAsync(map => Pretend(map, Stranger), options => options.AllowPlaintext = true);
        await AskAsync(application);
        Assert.Equal("Other machines can reach the endpoint /mux without encryption: AllowPlaintext is set.", Assert.Single(application.Logs.Of("EndpointServesPlaintext")).Text);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Other_machines_are_served_where_a_proxy_ends_TLS_and_its_scheme_is_taken_over()
    {
        await using var application = await StartAsync(map => map.UseForwardedHeaders(new() { ForwardedHeaders = ForwardedHeaders.XForwardedFor | ForwardedHeaders.XForwardedProto }));
        await AskAsync(application, options => options.Transport = Proxied("https"));
        Assert.Empty(application.Logs.Of("EndpointPlaintextRefused"));
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(ForwardedHeaders.XForwardedFor | ForwardedHeaders.XForwardedProto, "http")]
    [InlineData(ForwardedHeaders.XForwardedFor, "https")]
    public async Task Other_machines_are_refused_where_no_proxy_tells_of_TLS(ForwardedHeaders taken, string scheme)
    {
        await using var application = await StartAsync(map => map.UseForwardedHeaders(new() { ForwardedHeaders = taken }));
        var channel = application.CreateChannel(options => (options.Address, options.Transport) = (WebSocketTests.Address(application), Proxied(scheme)));
        await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
        Assert.StartsWith($"The connection from {Stranger} ", (await application.Logs.ReachAsync("EndpointPlaintextRefused"))[0].Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_loopback_address_that_a_header_tells_is_not_believed()
    {
        await using var application = await StartAsync(map =>
        {
            Pretend(map, Stranger);
            map.UseForwardedHeaders(new() { ForwardedHeaders = ForwardedHeaders.XForwardedFor, KnownProxies = { IPAddress.Parse(Stranger) } });
        });
        var forged = new WebSocketTransport(request => request.SetRequestHeader("X-Forwarded-For", "127.0.0.1"));
        var channel = application.CreateChannel(options => (options.Address, options.Transport) = (WebSocketTests.Address(application), forged));
        await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
        Assert.StartsWith("The connection from 127.0.0.1 to /mux is refused", (await application.Logs.ReachAsync("EndpointPlaintextRefused"))[0].Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_peer_without_an_address_is_served_without_a_word()
    {
        await using var application = await StartAsync(map => Pretend(map, null));
        await AskAsync(application);
        Assert.DoesNotContain(application.Logs.Entries, entry => entry.Name?.StartsWith("Endpoint", StringComparison.Ordinal) == true);
    }

    private static async Task AskAsync(Application application, Action<MuxChannelOptions>? configure = null)
    {
        var client = application.CreateClient(options =>
        {
            Dial(application)(options);
            configure?.Invoke(options);
        });
        Assert.Equal(1, (await client.Ask(new() { Id = 1 }, cancellationToken: TestContext.Current.CancellationToken)).Id);
    }

    private static Action<MuxChannelOptions> Dial(Application application) => options => options.Address = WebSocketTests.Address(application);

    /// <summary>What a proxy on this machine says of a client that it serves by some scheme.</summary>
    private static WebSocketTransport Proxied(string scheme) => new(request =>
    {
        request.SetRequestHeader("X-Forwarded-For", Stranger);
        request.SetRequestHeader("X-Forwarded-Proto", scheme);
    });

    private static void Pretend(IApplicationBuilder application, string? remote) => application.Use((context, next) =>
    {
        context.Connection.RemoteIpAddress = remote is null ? null : IPAddress.Parse(remote);
        return next(context);
    });

    private static Task<Application> StartAsync(Action<WebApplication> before, Action<MuxServerOptions>? options = null) => Application.StartAsync(
        (_, _) => { },
        options,
        map: map =>
        {
            before(map);
            map.MapMuxWebSocket("/mux");
        });
}
