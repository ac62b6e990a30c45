using Mux.Addresses;
using Mux.Sessions.Budgets;

namespace Mux.Core.Tests.Budgets;

public sealed class PendingHandshakesTests
{
    [Fact]
    public void One_address_has_its_part_and_others_have_the_rest()
    {
        var pending = new PendingHandshakes(5, 3);
        for (int i = 0; i < 3; i++) Assert.Null(pending.TryEnter("10.0.0.1"));
        Assert.Equal(PeerLimit.PendingHandshakesOfAddress, pending.TryEnter("10.0.0.1"));
        Assert.Null(pending.TryEnter("10.0.0.2"));
        Assert.Null(pending.TryEnter("10.0.0.3"));
        Assert.Equal(PeerLimit.PendingHandshakes, pending.TryEnter("10.0.0.4"));

        pending.Leave("10.0.0.1");
        Assert.Null(pending.TryEnter("10.0.0.1"));
        Assert.Equal(5, pending.Count);
    }

    [Fact]
    public void Peers_without_an_address_share_the_whole()
    {
        var pending = new PendingHandshakes(5, 1);
        for (int i = 0; i < 5; i++) Assert.Null(pending.TryEnter(string.Empty));
        Assert.Equal(PeerLimit.PendingHandshakes, pending.TryEnter(string.Empty));
    }

    [Theory]
    [InlineData("127.0.0.1:50312", "127.0.0.1")]
    [InlineData("[::ffff:10.0.0.7]:50312", "10.0.0.7")]
    [InlineData("[2001:db8:1:2:3:4:5:6]:50312", "20010DB800010002")]
    [InlineData("memory", "")]
    [InlineData("", "")]
    public void The_port_of_a_peer_does_not_count(string remoteAddress, string host) => Assert.Equal(host, PeerHost.Of(remoteAddress));

    [Theory]
    [InlineData("127.0.0.1:50312", true)]
    [InlineData("[::1]:50312", true)]
    [InlineData("[::ffff:127.0.0.1]:50312", true)]
    [InlineData("memory", true)]
    [InlineData("", true)]
    [InlineData("10.0.0.7:50312", false)]
    [InlineData("[2001:db8:1:2:3:4:5:6]:50312", false)]
    public void Peers_on_this_machine_have_no_address_that_counts(string remoteAddress, bool isLocal) => Assert.Equal(isLocal, PeerHost.IsLocal(remoteAddress));
}
