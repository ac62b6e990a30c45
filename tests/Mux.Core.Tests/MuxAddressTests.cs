namespace Mux.Core.Tests;

/// <summary>The forms of an address, and what is said of anything else.</summary>
public sealed class MuxAddressTests
{
    [Theory]
    [InlineData("MUX://desk:7070", "mux://desk:7070")]
    [InlineData("Muxs://desk:7070", "muxs://desk:7070")]
    [InlineData("MUX+WS://desk:80/mux", "mux+ws://desk:80/mux")]
    [InlineData("Mux+Unix:///tmp/A", "mux+unix:///tmp/A")]
    public void A_scheme_has_no_case(string text, string expected) => Assert.Equal(expected, MuxAddress.Parse(text).ToString());

    [Theory]
    [InlineData("mux://localhost", "mux", "localhost", 7070, "", "mux://localhost:7070")]
    [InlineData("mux://127.0.0.1:0/", "mux", "127.0.0.1", 0, "", "mux://127.0.0.1:0")]
    [InlineData("mux://[::1]:5", "mux", "::1", 5, "", "mux://[::1]:5")]
    [InlineData("mux+unix:///run/desk.sock", "mux+unix", "", 0, "/run/desk.sock", "mux+unix:///run/desk.sock")]
    [InlineData("mux+pipe://desk", "mux+pipe", "", 0, "desk", "mux+pipe://desk")]
    [InlineData("mux+pipe://Desk-1.test_A", "mux+pipe", "", 0, "Desk-1.test_A", "mux+pipe://Desk-1.test_A")]
    [InlineData("mux+ws://desk", "mux+ws", "desk", 80, "/", "mux+ws://desk:80/")]
    [InlineData("mux+wss://[::1]/a/mux", "mux+wss", "::1", 443, "/a/mux", "mux+wss://[::1]:443/a/mux")]
    public void An_address_is_read_into_its_parts_and_written_again(string text, string scheme, string host, int port, string path, string written)
    {
        var address = MuxAddress.Parse(text);
        Assert.Equal((scheme, host, port, path, written), (address.Scheme, address.Host, address.Port, address.Path, address.ToString()));
        Assert.Equal(address, MuxAddress.Parse(written));
    }

    [Theory]
    [InlineData("desk", "'desk' is not an address: expected mux://host:port, muxs://host:port, mux+unix:///path, mux+pipe://name or mux+ws://host:port/path.")]
    [InlineData("http://desk", "'http://desk' has the unknown scheme 'http': expected mux, muxs, mux+unix, mux+pipe, mux+ws or mux+wss.")]
    [InlineData("mux://desk:70000", "'mux://desk:70000' has the port '70000': expected a number from 0 to 65535.")]
    [InlineData("mux+unix://desk.sock", "'mux+unix://desk.sock' has no absolute path: expected mux+unix:///path.")]
    [InlineData("mux+pipe://", "'mux+pipe://' has the pipe name '': expected 1 to 80 letters, digits, dots, hyphens and underscores.")]
    [InlineData("mux+pipe://a/b", "'mux+pipe://a/b' has the pipe name 'a/b': expected 1 to 80 letters, digits, dots, hyphens and underscores.")]
    [InlineData("mux+pipe://anonymous", "'mux+pipe://anonymous' has the pipe name 'anonymous', which is reserved for unnamed pipes: choose another name.")]
    [InlineData("mux://desk:7070?name=orders", "'mux://desk:7070?name=orders' has '?name=orders' after its port: expected nothing; only muxs addresses have a ?name=.")]
    [InlineData("muxs://desk:7070?nam=orders", "'muxs://desk:7070?nam=orders' has '?nam=orders' after its port: expected ?name= and the name in the server's certificate, a host name or an IP address.")]
    [InlineData("muxs://desk:7070?name=", "'muxs://desk:7070?name=' has '?name=' after its port: expected ?name= and the name in the server's certificate, a host name or an IP address.")]
    [InlineData("muxs://desk:7070?name=a&b", "'muxs://desk:7070?name=a&b' has '?name=a&b' after its port: expected ?name= and the name in the server's certificate, a host name or an IP address.")]
    [InlineData("mux+ws://desk/mux?a=b", "'mux+ws://desk/mux?a=b' has the path '/mux?a=b': expected ASCII characters without spaces, '?', '#' and '\\'.")]
    public void What_is_no_address_is_told_with_the_part_that_is_wrong(string text, string expected)
    {
        Assert.False(MuxAddress.TryParse(text, out _, out var error));
        Assert.Equal(expected, error);
        Assert.Equal(expected, Assert.Throws<FormatException>(() => MuxAddress.Parse(text)).Message);
    }

    [Fact]
    public void The_longest_pipe_name_is_80_characters()
    {
        Assert.True(MuxAddress.TryParse($"mux+pipe://{new string('a', 80)}", out _, out _));
        Assert.False(MuxAddress.TryParse($"mux+pipe://{new string('a', 81)}", out _, out _));
    }

    [Theory]
    [InlineData("muxs://10.0.0.7:7070?name=orders.prod", "10.0.0.7", 7070, "orders.prod", "muxs://10.0.0.7:7070?name=orders.prod")]
    [InlineData("muxs://[fd00::7]/?name=10.0.0.1", "fd00::7", 7070, "10.0.0.1", "muxs://[fd00::7]:7070?name=10.0.0.1")]
    public void The_name_in_the_certificate_is_part_of_an_address(string text, string host, int port, string name, string written)
    {
        var address = MuxAddress.Parse(text);
        Assert.Equal((host, port, name, written), (address.Host, address.Port, address.ServerName, address.ToString()));
        Assert.Equal(address, MuxAddress.Parse(written));
        Assert.Equal(name, address.WithPort(1).ServerName);
    }

    [Fact]
    public void Addresses_that_differ_in_the_name_alone_are_two()
    {
        var bare = MuxAddress.Parse("muxs://10.0.0.7");
        var named = bare.WithServerName("orders.prod");
        Assert.NotEqual(bare, named);
        Assert.Equal(named, MuxAddress.Parse("muxs://10.0.0.7:7070?name=orders.prod"));
        Assert.Equal(bare, named.WithServerName(null));
        Assert.Null(bare.ServerName);
    }

    [Fact]
    public void Only_TLS_addresses_have_a_server_name_and_only_names_are_one()
    {
        var plain = MuxAddress.Parse("mux://desk");
        Assert.Same(plain, plain.WithServerName(null));
        Assert.Equal("mux://desk:7070 has no certificate: only muxs addresses have a server name. (Parameter 'serverName')", Assert.Throws<ArgumentException>(() => plain.WithServerName("orders")).Message);
        Assert.Equal("'a b' is not a server name: expected a host name or an IP address. (Parameter 'serverName')", Assert.Throws<ArgumentException>(() => MuxAddress.Parse("muxs://desk").WithServerName("a b")).Message);
    }
}
