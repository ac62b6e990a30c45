using Mux.Client;
using Mux.TestSupport.Transports.Tls;
using Mux.Transports.Tls;

namespace Mux.Tests.Channels;

/// <summary>Addresses of many servers in the options of a channel and of a server.</summary>
public sealed class TargetTests
{
    [Theory]
    [InlineData("mux://a:7070,b:7070")]
    [InlineData("muxs://a,b")]
    [InlineData("mux+dns://orders.prod:7070")]
    [InlineData("muxs+dns://orders.prod")]
    public void A_channel_may_have_a_list_or_a_name_and_a_server_may_not(string address)
    {
        Assert.Empty(new MuxChannelOptions { Address = address }.Validate());
        Assert.Contains(new MuxServerOptions { Address = address }.Validate(), failure => failure.Option == nameof(MuxOptions.Address));
    }

    [Theory]
    [InlineData("mux://a,a", "Address: 'mux://a,a' has mux://a:7070 twice in its list.")]
    [InlineData("mux+srv://_rpc._tcp.orders.prod", "Address: 'mux+srv://_rpc._tcp.orders.prod' needs the package Mux.Discovery.Dns: install it, and call UseDnsSrv() where the client is added to the host, or set MuxChannelOptions.Endpoints.")]
    public void A_channel_tells_what_is_wrong_with_its_address(string address, string expected)
    {
        Assert.Equal(expected, Assert.Single(new MuxChannelOptions { Address = address }.Validate()).ToString());
        Assert.Empty(new MuxChannelOptions { Address = address, Endpoints = Source() }.Validate());
    }

    [Theory]
    [InlineData("muxs://a,b", true)]
    [InlineData("muxs+dns://orders.prod", true)]
    [InlineData("mux://a,b", false)]
    [InlineData("mux+dns://orders.prod", false)]
    public void TLS_options_belong_to_lists_and_names_with_TLS(string address, bool isRead)
    {
        var failures = new MuxChannelOptions { Address = address, Tls = TlsTransports.Client() }.Validate();
        Assert.Equal(isRead ? [] : [$"Tls: it has no effect: the address '{address}' is not a muxs address. Change the address, or remove Tls."], failures.Select(failure => failure.ToString()));
    }

    [Fact]
    public void TLS_options_may_go_with_a_source_whose_servers_are_not_known_yet() =>
        Assert.Empty(new MuxChannelOptions { Endpoints = Source(), Tls = new TlsClientOptions() }.Validate());

    private static FixedEndpoints Source() => new("test", [MuxAddress.Parse("mux://a")]);
}
