using System.Net;
using System.Net.WebSockets;
using System.Security.Claims;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Mux.Identity;
using Mux.Transports.WebSockets;

namespace Mux.AspNetCore.Tests.WebSockets;

/// <summary>RequireAuthorization() at the endpoint, answered by ASP.NET Core before a WebSocket is opened.</summary>
public sealed class AuthorizationTests
{
    private const int TestLimit = 90_000;

    [Theory(Timeout = TestLimit)]
    [InlineData(null, HttpStatusCode.Unauthorized)]
    [InlineData("Bearer", HttpStatusCode.Unauthorized)]
    [InlineData("Bearer guest", HttpStatusCode.Forbidden)]
    public async Task Who_is_nobody_or_may_not_enter_is_answered_without_a_WebSocket(string? authorization, HttpStatusCode expected)
    {
        await using var application = await StartAsync();
        using var socket = new ClientWebSocket();
        socket.Options.CollectHttpResponseDetails = true;
        socket.Options.AddSubProtocol(WebSocketByteStream.SubProtocol);
        if (authorization is not null) socket.Options.SetRequestHeader("Authorization", authorization);
        await Assert.ThrowsAsync<WebSocketException>(() => socket.ConnectAsync(new Uri($"ws://127.0.0.1:{application.Port}/mux"), TestContext.Current.CancellationToken));
        Assert.Equal(expected, socket.HttpStatusCode);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_that_is_nobody_says_so_with_the_status()
    {
        await using var application = await StartAsync();
        var channel = application.CreateChannel(options => options.Address = WebSocketTests.Address(application));
        var error = await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
        Assert.Equal(MuxStatus.Unavailable, error.Status);
        Assert.Contains("401", error.Message, StringComparison.Ordinal);
        Assert.Empty(application.Logs.Of("ServerConnectionOpened"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Who_was_let_in_is_the_caller()
    {
        await using var application = await StartAsync();
        foreach (var name in new[] { "anna", "berta" })
        {
            var client = application.CreateClient(options =>
            {
                options.Address = WebSocketTests.Address(application);
                options.Transport = new WebSocketTransport(request => request.SetRequestHeader("Authorization", $"Bearer {name}"));
            });
            await client.Ask(new() { Id = 1 }, cancellationToken: TestContext.Current.CancellationToken);
            Assert.Equal(name, application.Service.User?.Identity?.Name);
            Assert.True(application.Service.User?.HasClaim(ClaimTypes.Role, "worker"));
        }
    }

    private static Task<Application> StartAsync() => Application.StartAsync(
        (_, _) => { },
        options => options.Identity = new MuxIdentityOptions { TrustTransport = true },
        services =>
        {
            services.AddAuthentication(NamedTokens.Scheme).AddScheme<Microsoft.AspNetCore.Authentication.AuthenticationSchemeOptions, NamedTokens>(NamedTokens.Scheme, null);
            services.AddAuthorization();
        },
        map =>
        {
            map.UseAuthentication();
            map.UseAuthorization();
            map.MapMuxWebSocket("/mux").RequireAuthorization(new AuthorizationPolicyBuilder(NamedTokens.Scheme).RequireAuthenticatedUser().RequireRole("worker").Build());
        });
}
