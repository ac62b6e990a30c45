using System.Security.Claims;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Mux.Identity;
using Mux.TestSupport.Transports;
using Mux.Transports.WebSockets;

namespace Mux.AspNetCore.Tests.WebSockets;

/// <summary>Mux over WebSockets, client and server.</summary>
public sealed class WebSocketTests
{
    private const int TestLimit = 90_000;

    [Fact(Timeout = TestLimit)]
    public async Task Calls_and_streams_run_over_a_WebSocket()
    {
        await using var application = await StartAsync();
        await Exchange.RunAsync(application.CreateClient(Dial(application)));
        Assert.Equal(1, application.Server.GetStatistics().OpenConnections);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_that_is_disposed_ends_its_WebSocket_in_order()
    {
        await using var application = await StartAsync();
        await using (var channel = MuxChannel.Create(Address(application))) await channel.ConnectAsync(TestContext.Current.CancellationToken);
        var closed = Assert.Single(await application.Logs.ReachAsync("ServerConnectionClosed"));
        Assert.Contains("Drained", closed.Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Open_calls_finish_when_the_host_stops()
    {
        await using var application = await StartAsync();
        var call = application.CreateClient(Dial(application)).Ask(new() { Id = 7, Text = "wait" }, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        await application.Service.Started.ReachAsync(1);
        var stopping = application.StopAsync();
        Assert.False(call.IsCompleted);
        application.Service.Answer.Set();
        Assert.Equal(7, (await call.Within("the answer of a server that stops")).Id);
        await stopping.Within("the stop of the host");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_connection_that_is_cut_is_lost_to_both_sides_and_the_next_call_dials_again()
    {
        await using var application = await StartAsync();
        var client = application.CreateClient(Dial(application));
        var call = client.Ask(new() { Id = 1, Text = "wait" }, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        await application.Service.Started.ReachAsync(1);
        Assert.Single(application.Connections).Abort();
        Assert.Equal(MuxStatus.Unavailable, (await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure of the call"))).Status);
        Assert.Contains("ConnectionLost", Assert.Single(await application.Logs.ReachAsync("ServerConnectionClosed")).Text, StringComparison.Ordinal);
        Assert.Equal(2, (await client.Ask(new() { Id = 2 }, cancellationToken: TestContext.Current.CancellationToken)).Id);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_that_is_refused_says_why_it_cannot_connect()
    {
        await using var application = await StartAsync();
        var channel = application.CreateChannel(options =>
        {
            options.Address = Address(application);
            options.Transport = new WebSocketTransport(request => request.SetRequestHeader("Origin", "https://elsewhere.example"));
        });
        var error = await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
        Assert.Equal(MuxStatus.Unavailable, error.Status);
        Assert.Contains("403", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_user_of_the_request_is_the_caller_until_the_ticket_expires()
    {
        await using var application = await StartAsUserAsync(new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, "anna")], "cookie")), DateTimeOffset.UtcNow.AddHours(1));
        await application.CreateClient(Dial(application)).Ask(new() { Id = 1 }, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal("anna", application.Service.User?.Identity?.Name);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_request_without_a_user_or_with_an_expired_one_is_not_enough()
    {
        foreach (var (user, expiresAt) in new[] { (new ClaimsPrincipal(new ClaimsIdentity()), DateTimeOffset.MaxValue), (new ClaimsPrincipal(new ClaimsIdentity("cookie")), DateTimeOffset.UtcNow.AddHours(-1)) })
        {
            await using var application = await StartAsUserAsync(user, expiresAt);
            var error = await Assert.ThrowsAsync<MuxException>(() => application.CreateChannel(Dial(application)).ConnectAsync(TestContext.Current.CancellationToken));
            Assert.Equal(MuxStatus.Unauthenticated, error.Status);
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_stays_silent_about_the_sub_protocol_is_refused()
    {
        await using var application = await Application.StartAsync((_, _) => { }, options => options.Address = string.Empty, map: map =>
        {
            map.UseWebSockets();
            map.Map("/mux", async context =>
            {
                using var socket = await context.WebSockets.AcceptWebSocketAsync();
                await socket.ReceiveAsync(new Memory<byte>(new byte[1]), CancellationToken.None).AsTask().ContinueWith(_ => { }, TaskScheduler.Default);
            });
        });
        var error = await Assert.ThrowsAsync<MuxException>(() => application.CreateChannel(Dial(application)).ConnectAsync(TestContext.Current.CancellationToken));
        Assert.Contains("does not agree to the sub-protocol mux.1", error.Message, StringComparison.Ordinal);
    }

    internal static string Address(Application application) => $"mux+ws://127.0.0.1:{application.Port}/mux";

    internal static Task<Application> StartAsync(Action<MuxServerOptions>? options = null) => Application.StartAsync(
        (endpoint, application) => application.Watch(endpoint),
        options,
        map: map => map.MapMuxWebSocket("/mux", sockets =>
        {
            sockets.AllowedOrigins.Add("https://app.example.com");
            sockets.AllowedOrigins.Add("https://b\u00FCcher.example");
        }));

    private static Task<Application> StartAsUserAsync(ClaimsPrincipal user, DateTimeOffset expiresAt) => Application.StartAsync(
        (_, _) => { },
        options => options.Identity = new MuxIdentityOptions { TrustTransport = true },
        map: map =>
        {
            map.Use((context, next) =>
            {
                var ticket = new AuthenticationTicket(user, new AuthenticationProperties { ExpiresUtc = expiresAt == DateTimeOffset.MaxValue ? null : expiresAt }, "cookie");
                context.Features.Set<IAuthenticateResultFeature>(new Ticket { AuthenticateResult = AuthenticateResult.Success(ticket) });
                context.User = user;
                return next(context);
            });
            map.MapMuxWebSocket("/mux");
        });

    private sealed class Ticket : IAuthenticateResultFeature
    {
        public AuthenticateResult? AuthenticateResult { get; set; }
    }

    private static Action<MuxChannelOptions> Dial(Application application) => options => options.Address = Address(application);
}
