namespace Mux.Discovery.Kubernetes.Tests;

/// <summary>Addresses of services.</summary>
public sealed class TargetTests
{
    [Theory]
    [InlineData("mux+k8s://orders.prod:rpc", "mux", "orders", "prod", "rpc")]
    [InlineData("muxs+k8s://orders.prod:7070/", "muxs", "orders", "prod", "7070")]
    [InlineData("mux+k8s://orders-2:rpc", "mux", "orders-2", null, "rpc")]
    public void A_target_is_a_service_its_namespace_and_a_port(string text, string scheme, string service, string? space, string port)
    {
        var target = KubernetesTarget.Parse(text);
        Assert.Equal(new KubernetesTarget(scheme, service, space, port), target);
        Assert.Equal(text.TrimEnd('/'), target.ToString());
    }

    [Theory]
    [InlineData("mux://orders:7070", "is not an address of Kubernetes: expected mux+k8s://service.namespace:port")]
    [InlineData("orders.prod:rpc", "is not an address of Kubernetes")]
    [InlineData("mux+k8s://orders.prod", "has no port")]
    [InlineData("mux+k8s://orders.prod.svc:rpc", "has the host 'orders.prod.svc': expected service or service.namespace")]
    [InlineData("mux+k8s://Orders.prod:rpc", "has the host 'Orders.prod': expected names of 1 to 63 of a-z, 0-9 and '-'")]
    [InlineData("mux+k8s://orders.:rpc", "has the host 'orders.'")]
    [InlineData("mux+k8s://-orders.prod:rpc", "has the host '-orders.prod'")]
    [InlineData("mux+k8s://user@orders.prod:rpc", "has the host 'user@orders.prod'")]
    [InlineData("mux+k8s://orders.prod:0", "has the port '0': expected a number from 1 to 65535")]
    [InlineData("mux+k8s://orders.prod:65536", "has the port '65536'")]
    [InlineData("mux+k8s://orders.prod:RPC", "has the port 'RPC'")]
    [InlineData("mux+k8s://orders.prod:", "has the port ''")]
    [InlineData("mux+k8s://:rpc", "has the host ''")]
    public void What_is_no_target_is_refused_with_the_part_that_is_wrong(string text, string expected) =>
        Assert.Contains(expected, Assert.Throws<FormatException>(() => new KubernetesEndpointSource(text)).Message, StringComparison.Ordinal);

    [Fact]
    public void The_name_of_a_source_is_its_target() => Assert.Equal("mux+k8s://orders.prod:rpc", new KubernetesEndpointSource("mux+k8s://orders.prod:rpc/").Name);

    [Fact]
    public void A_family_that_does_not_exist_is_refused()
    {
        var options = new KubernetesDiscoveryOptions { AddressFamily = (KubernetesAddressFamily)3 };
        var error = Assert.Throws<ArgumentException>(() => new KubernetesEndpointSource("mux+k8s://orders.prod:rpc", options));
        Assert.Contains("AddressFamily: '3' is not allowed: expected Any, IPv4 or IPv6.", error.Message, StringComparison.Ordinal);
    }
}
