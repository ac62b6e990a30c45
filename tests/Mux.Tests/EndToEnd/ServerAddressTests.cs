using Mux.TestSupport.EndToEnd;
using Mux.Tests.Contracts;
using Mux.Transports.InMemory;
using Mux.Transports.Sockets;

namespace Mux.Tests.EndToEnd;

/// <summary>Addresses at which a server does not listen, or only on purpose and not in silence.</summary>
public sealed class ServerAddressTests
{
    [Theory]
    [InlineData("mux://0.0.0.0:0")]
    [InlineData("mux://[::]:0")]
    [InlineData("mux://192.0.2.1:7070")]
    [InlineData("mux://somewhere.example:7070")]
    public void An_address_of_the_network_has_to_be_allowed(string address)
    {
        foreach (var transport in (SocketTransport?[])[null, new SocketTransport()])
        {
            var options = new MuxServerOptions { Address = address, Transport = transport };
            Assert.StartsWith($"other machines can reach '{address}' without encryption", Assert.Single(options.Validate(), failure => failure.Option == "AllowPlaintext").Text, StringComparison.Ordinal);
            options.AllowPlaintext = true;
            Assert.Empty(options.Validate());
        }
    }

    [Theory]
    [InlineData("mux://127.0.0.1:0")]
    [InlineData("mux://127.1.2.3:0")]
    [InlineData("mux://[::1]:0")]
    [InlineData("mux://LocalHost:0")]
    [InlineData("mux+unix:///run/desk.sock")]
    [InlineData("mux+pipe://desk")]
    [InlineData("")]
    public void An_address_of_this_machine_needs_no_permission(string address) => Assert.Empty(new MuxServerOptions { Address = address }.Validate());

    [Theory]
    [InlineData("mux+ws://127.0.0.1:8080/mux")]
    [InlineData("mux+wss://127.0.0.1:8080/mux")]
    public void A_server_at_an_address_of_WebSockets_is_told_where_they_come_from(string address) =>
        Assert.Contains("call MapMuxWebSocket of Mux.AspNetCore", Assert.Single(new MuxServerOptions { Address = address }.Validate(), failure => failure.Option == "Address").Text, StringComparison.Ordinal);

    [Fact]
    public void A_transport_that_is_not_of_sockets_is_not_asked() => Assert.Empty(new MuxServerOptions { Address = "mux://somewhere.example:7070", Transport = new InMemoryTransport() }.Validate());

    [Fact]
    public async Task A_server_that_may_be_reached_says_so_when_it_starts()
    {
        using var logs = new LogCollector();
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://0.0.0.0:0", AllowPlaintext = true }, logs).AddService<IDesk>(new Desk());
        server.Start();
        Assert.Equal($"Other machines can reach the server at {server.Address} without encryption: AllowPlaintext is set.", Assert.Single(logs.Of("ServerListensInPlaintext")).Text);

        await using var local = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", AllowPlaintext = true }, logs).AddService<IDesk>(new Desk());
        local.Start();
        Assert.Single(logs.Of("ServerListensInPlaintext"));
    }
}
