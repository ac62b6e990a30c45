using System.Net;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;
using Mux.TestSupport.Transports;
using Mux.Transports.WebSockets;

namespace Mux.AspNetCore.Tests.WebSockets;

/// <summary>What an endpoint says to requests and messages that it does not take.</summary>
public sealed class HostileWebSocketTests
{
    private const int TestLimit = 90_000;

    [Fact(Timeout = TestLimit)]
    public async Task A_request_that_is_no_WebSocket_is_answered_by_400()
    {
        await using var application = await WebSocketTests.StartAsync();
        using var http = new HttpClient();
        using var response = await http.GetAsync(new Uri($"http://127.0.0.1:{application.Port}/mux"), TestContext.Current.CancellationToken);
        Assert.Equal((HttpStatusCode.BadRequest, "This endpoint accepts WebSockets only."), (response.StatusCode, await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken)));
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(null)]
    [InlineData("mux.2")]
    public async Task Another_sub_protocol_is_answered_by_400(string? protocol)
    {
        await using var application = await WebSocketTests.StartAsync();
        Assert.Equal(HttpStatusCode.BadRequest, await DialAsync(application, protocol, origin: null));
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("https://elsewhere.example", HttpStatusCode.Forbidden)]
    [InlineData("null", HttpStatusCode.Forbidden)]
    [InlineData("https://app.example.com.evil.example", HttpStatusCode.Forbidden)]
    [InlineData("http://127.0.0.1:1", HttpStatusCode.Forbidden)]
    [InlineData("https://APP.example.com:443", HttpStatusCode.SwitchingProtocols)]
    [InlineData("https://xn--bcher-kva.example", HttpStatusCode.SwitchingProtocols)]
    [InlineData("own", HttpStatusCode.SwitchingProtocols)]
    public async Task Pages_connect_from_the_same_origin_and_from_allowed_ones(string origin, HttpStatusCode expected)
    {
        await using var application = await WebSocketTests.StartAsync();
        Assert.Equal(expected, await DialAsync(application, WebSocketByteStream.SubProtocol, origin == "own" ? $"http://127.0.0.1:{application.Port}" : origin));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_page_of_a_foreign_origin_is_told_so_whatever_else_is_wrong()
    {
        await using var application = await WebSocketTests.StartAsync();
        Assert.Equal(HttpStatusCode.Forbidden, await DialAsync(application, protocol: null, "https://elsewhere.example"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_request_to_a_server_that_stops_is_answered_by_503()
    {
        await using var application = await WebSocketTests.StartAsync();
        await application.Server.StopAsync(TestContext.Current.CancellationToken);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, await DialAsync(application, WebSocketByteStream.SubProtocol, origin: null));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_peer_that_reads_nothing_does_not_keep_its_socket_when_Mux_has_left_it()
    {
        await using var application = await WebSocketTests.StartAsync(DeafPeer.Configure);
        await DeafPeer.RunAsync(application, DeafPeer.WebSocket, WebSocketTests.Address(application));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Nothing_but_empty_messages_closes_the_WebSocket_with_a_reason()
    {
        await using var application = await WebSocketTests.StartAsync();
        using var socket = await OpenAsync(application);
        for (int sent = 0; sent < 110; sent++) await socket.SendAsync(Array.Empty<byte>(), WebSocketMessageType.Binary, endOfMessage: true, TestContext.Current.CancellationToken);
        Assert.Equal((WebSocketCloseStatus.PolicyViolation, "More than 100 messages in a row were empty."), await CloseOfAsync(socket));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Text_closes_the_WebSocket_with_a_reason()
    {
        await using var application = await WebSocketTests.StartAsync();
        using var socket = await OpenAsync(application);
        await socket.SendAsync("hello"u8.ToArray(), WebSocketMessageType.Text, endOfMessage: true, TestContext.Current.CancellationToken);
        Assert.Equal((WebSocketCloseStatus.InvalidMessageType, "Mux takes binary messages only."), await CloseOfAsync(socket));
    }

    [Fact]
    public void What_is_no_origin_is_refused_when_it_is_mapped()
    {
        var builder = WebApplication.CreateSlimBuilder();
        Microsoft.Extensions.DependencyInjection.MuxServiceCollectionExtensions.AddMuxServer(builder.Services, string.Empty);
        var application = builder.Build();
        var error = Assert.Throws<ArgumentException>(() => application.MapMuxWebSocket("/mux", options => options.AllowedOrigins.Add("app.example.com")));
        Assert.Contains("'app.example.com' is not an origin", error.Message, StringComparison.Ordinal);
    }

    private static async Task<HttpStatusCode> DialAsync(Application application, string? protocol, string? origin)
    {
        using var socket = new ClientWebSocket();
        socket.Options.CollectHttpResponseDetails = true;
        if (protocol is not null) socket.Options.AddSubProtocol(protocol);
        if (origin is not null) socket.Options.SetRequestHeader("Origin", origin);
        try
        {
            await socket.ConnectAsync(UriOf(application), TestContext.Current.CancellationToken);
        }
        catch (WebSocketException) when (socket.HttpStatusCode != 0)
        {
            // The status says why.
        }

        return socket.HttpStatusCode;
    }

    private static async Task<ClientWebSocket> OpenAsync(Application application)
    {
        var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol(WebSocketByteStream.SubProtocol);
        await socket.ConnectAsync(UriOf(application), TestContext.Current.CancellationToken);
        return socket;
    }

    /// <summary>Drops what the server sends until it closes.</summary>
    private static async Task<(WebSocketCloseStatus? Status, string? Reason)> CloseOfAsync(ClientWebSocket socket)
    {
        var buffer = new byte[4096];
        while ((await socket.ReceiveAsync(buffer, TestContext.Current.CancellationToken).Within("the close of the server")).MessageType != WebSocketMessageType.Close)
        {
        }

        return (socket.CloseStatus, socket.CloseStatusDescription);
    }

    private static Uri UriOf(Application application) => new($"ws://127.0.0.1:{application.Port}/mux");
}
