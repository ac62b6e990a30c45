namespace Mux.Discovery.Etcd.Tests;

/// <summary>Addresses of etcd.</summary>
public sealed class EtcdTargetTests
{
    [Theory]
    [InlineData("mux+etcd://e1/mux/orders", "http://e1:2379/", "/mux/orders")]
    [InlineData("mux+etcd://e1:2379,e2:23790/mux/orders/", "http://e1:2379/ http://e2:23790/", "/mux/orders")]
    [InlineData("mux+etcds://10.0.0.7,[2001:db8::1]:99/orders", "https://10.0.0.7:2379/ https://[2001:db8::1]:99/", "/orders")]
    [InlineData("mux+etcd://localhost", "http://localhost:2379/", "")]
    [InlineData("mux+etcd://localhost/", "http://localhost:2379/", "")]
    public void An_address_names_members_and_a_prefix(string text, string members, string path)
    {
        Assert.True(EtcdTarget.TryParse(text, out var target, out var error), error);
        Assert.Equal((members, path), (string.Join(' ', target.Members), target.Path));
    }

    [Theory]
    [InlineData(null, "'' is not an address of etcd: expected mux+etcd://host:port/prefix")]
    [InlineData("mux://e1:2379/orders", "'mux://e1:2379/orders' is not an address of etcd")]
    [InlineData("http://e1:2379/orders", "is not an address of etcd")]
    [InlineData("mux+etcd:///orders", "has the member '', which has no usable host")]
    [InlineData("mux+etcd://e1,,e2/orders", "has the member '', which has no usable host")]
    [InlineData("mux+etcd://e 1/orders", "has the member 'e 1', which has no usable host")]
    [InlineData("mux+etcd://e1:0/orders", "has the member 'e1:0': expected a port from 1 to 65535 after its host, or none for 2379")]
    [InlineData("mux+etcd://e1:70000/orders", "has the member 'e1:70000': expected a port")]
    [InlineData("mux+etcd://e1:port/orders", "has the member 'e1:port': expected a port")]
    [InlineData("mux+etcd://[::1/orders", "which has no usable host")]
    [InlineData("mux+etcd://e1/or ders", "has the prefix '/or ders': expected 1 to 512 characters")]
    [InlineData("mux+etcd://e1/orders?zone=1", "has the prefix '/orders?zone=1'")]
    public void What_is_wrong_with_an_address_is_named(string? text, string expected)
    {
        Assert.False(EtcdTarget.TryParse(text, out _, out var error));
        Assert.Contains(expected, error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_password_in_an_address_is_rejected_and_not_repeated()
    {
        Assert.False(EtcdTarget.TryParse("mux+etcd://root:secret@e1/orders", out _, out var error));
        Assert.DoesNotContain("secret", error, StringComparison.Ordinal);
        Assert.Contains("set User and Password of the options", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("mux+etcd://localhost,127.0.0.1,[::1]/a", null)]
    [InlineData("mux+etcd://localhost,e2:1/a", "e2:1")]
    [InlineData("mux+etcds://e1/a", null)]
    public void Loopback_and_TLS_need_no_trust_in_the_network(string text, string? expected)
    {
        Assert.True(EtcdTarget.TryParse(text, out var target, out _));
        Assert.Equal(expected, target.FindPlaintextOnNetwork());
    }
}
