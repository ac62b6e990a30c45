namespace Mux.Core.Tests;

/// <summary>The forms of an address, and what is said of anything else.</summary>
public sealed class MuxAddressTests
{
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
}
