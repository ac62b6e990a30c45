using Mux.Telemetry;

namespace Mux.Core.Tests.Diagnostics;

public sealed class AddressTagTests
{
    [Theory]
    [InlineData("mux://shop:7071", "server.address=shop, server.port=7071")]
    [InlineData("muxs://[::1]:7071", "server.address=::1, server.port=7071")]
    [InlineData("mux+ws://shop/path", "server.address=shop, server.port=80")]
    [InlineData("mux+unix:///run/shop.sock", "server.address=/run/shop.sock")]
    [InlineData("mux+pipe://shop", "server.address=shop")]
    public void An_address_becomes_a_host_and_a_port_where_there_is_one(string address, string expected) =>
        Assert.Equal(expected, string.Join(", ", AddressTags.Of(MuxAddress.Parse(address)).Select(tag => $"{tag.Key}={tag.Value}")));

    [Fact]
    public void A_server_without_an_address_has_no_tags() => Assert.Empty(AddressTags.Of(null));

    [Theory]
    [InlineData("10.1.2.80:50123", "10.1.2.80", 50123)]
    [InlineData("[fe80::1%3]:50123", "fe80::1%3", 50123)]
    [InlineData("shop:1", "shop", 1)]
    [InlineData("::1", "::1", null)]
    [InlineData("/run/shop.sock", "/run/shop.sock", null)]
    [InlineData("/run/shop:1", "/run/shop:1", null)]
    [InlineData("shop:99999", "shop:99999", null)]
    [InlineData(":1", ":1", null)]
    [InlineData("of a test", "of a test", null)]
    public void The_address_of_a_peer_is_split_before_its_port(string text, string address, int? port)
    {
        Assert.Equal(address, AddressTags.SplitPeer(text, out int? found));
        Assert.Equal(port, found);
    }
}
