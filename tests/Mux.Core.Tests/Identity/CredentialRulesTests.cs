using Mux.Server;

namespace Mux.Core.Tests.Identity;

/// <summary>To which servers a credential is shown.</summary>
public sealed class CredentialRulesTests
{
    [Theory]
    [InlineData("mux://192.0.2.7:7070", "")]
    [InlineData("mux://[2001:db8::7]:7070", "")]
    [InlineData("mux://orders.example:7070", "")]
    [InlineData("mux+ws://orders.example/mux", "")]
    [InlineData("mux+ws://orders.example/mux", "orders.example:80")]
    [InlineData("mux://localhost:7070", "192.0.2.7:7070")]
    [InlineData("mux://localhost:7070", "[::ffff:192.0.2.7]:7070")]
    public void Another_machine_without_TLS_is_not_shown_it_unless_the_options_say_so(string address, string remote)
    {
        var sut = new CredentialRules { Address = MuxAddress.Parse(address), IsOwnTransport = true };
        var why = sut.WhyWithheld("bearer token", remote, isEncrypted: false);
        Assert.StartsWith($"The bearer token is not sent to {MuxAddress.Parse(address)}", why, StringComparison.Ordinal);
        Assert.Contains(remote, why, StringComparison.Ordinal);
        Assert.Contains("AllowPlaintext", why, StringComparison.Ordinal);
        Assert.Null((sut with { AllowPlaintext = true }).WhyWithheld("bearer token", remote, isEncrypted: false));
        Assert.Null(sut.WhyWithheld("bearer token", remote, isEncrypted: true));
    }

    [Theory]
    [InlineData("mux://localhost:7070", "")]
    [InlineData("mux://127.0.0.9:7070", "127.0.0.9:7070")]
    [InlineData("mux://[::1]:7070", "[::1]:7070")]
    [InlineData("mux+ws://localhost:8080/mux", "localhost:8080")]
    [InlineData("mux://orders.example:7070", "127.0.0.1:7070")] // found out when it is connected, where that is asked
    [InlineData("mux+unix:///run/orders.sock", "")]
    [InlineData("mux+pipe://orders", "")]
    [InlineData("muxs://orders.example:7070", "192.0.2.7:7070")]
    [InlineData("mux+wss://orders.example/mux", "orders.example:443")]
    public void This_machine_and_TLS_are_shown_it(string address, string remote) =>
        Assert.Null(new CredentialRules { Address = MuxAddress.Parse(address), IsOwnTransport = true }.WhyWithheld("bearer token", remote, isEncrypted: false));

    [Theory]
    [InlineData("mux://host.example:7070", "192.0.2.7:7070")]
    [InlineData("mux://host.example:7070", "host.example:7070")] // by a proxy, which finds out what the name means
    [InlineData("mux://192.0.2.7:7070", "a proxy")]
    [InlineData("mux+ws://host.example/mux", "host.example:80")]
    [InlineData("mux://localhost:7070", "192.0.2.7:7070")]
    [InlineData("muxs://host.example:7070", "host.example:7070")] // the scheme does not make a foreign transport encrypt
    [InlineData("muxs://host.example:7070", "192.0.2.7:7070")]
    [InlineData("mux+wss://host.example/mux", "host.example:443")]
    [InlineData("mux+unix:///run/orders.sock", "192.0.2.7:7070")]
    [InlineData("mux+pipe://orders", "192.0.2.7:7070")]
    [InlineData("muxs://host.example:7070", "")] // its link reports no address
    [InlineData("mux://host.example:7070", "")]
    public void A_transport_of_others_counts_by_the_address_that_its_links_report_or_else_as_another_machine(string address, string remote)
    {
        var sut = new CredentialRules { Address = MuxAddress.Parse(address) };
        Assert.Contains(remote, sut.WhyWithheld("bearer token", remote, isEncrypted: false), StringComparison.Ordinal);
        Assert.Null((sut with { AllowPlaintext = true }).WhyWithheld("bearer token", remote, isEncrypted: false));
        Assert.Null(sut.WhyWithheld("bearer token", remote, isEncrypted: true));
    }

    [Theory]
    [InlineData("mux://host.example:7070", null)] // before there is a connection
    [InlineData("mux://host.example:7070", "127.0.0.1:7070")]
    [InlineData("mux://localhost:7070", "a tunnel")]
    [InlineData("mux://127.0.0.9:7070", "a tunnel")]
    [InlineData("mux+unix:///run/orders.sock", "/run/orders.sock")]
    [InlineData("mux+pipe://orders", "a pipe")]
    [InlineData("muxs://host.example:7070", null)]
    [InlineData("muxs://localhost:7070", "")]
    [InlineData("muxs://host.example:7070", "127.0.0.1:7070")]
    [InlineData("muxs://localhost:7070", "a tunnel")]
    public void A_transport_of_others_that_is_not_connected_or_on_this_machine_is_shown_it(string address, string? remote) =>
        Assert.Null(new CredentialRules { Address = MuxAddress.Parse(address) }.WhyWithheld("bearer token", remote, isEncrypted: false));

    [Fact]
    public void A_transport_of_others_is_told_to_report_that_it_encrypts()
    {
        var why = new CredentialRules { Address = MuxAddress.Parse("mux://host.example:7070") }.WhyWithheld("bearer token", "192.0.2.7:7070", isEncrypted: false);
        Assert.Contains("report a ChannelBinding", why, StringComparison.Ordinal);
        Assert.DoesNotContain("Connect to a muxs", why, StringComparison.Ordinal);
    }
}
