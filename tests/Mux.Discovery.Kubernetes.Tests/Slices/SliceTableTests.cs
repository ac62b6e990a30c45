using Mux.Discovery.Kubernetes.Slices;
using Mux.Discovery.Kubernetes.Tests.Server;

namespace Mux.Discovery.Kubernetes.Tests.Slices;

/// <summary>Which endpoints of which slices are in the set.</summary>
public sealed class SliceTableTests
{
    private static readonly string[] s_any = [SliceTable.IPv4, SliceTable.IPv6];

    [Theory]
    [InlineData(true, true, false, "mux://10.0.0.1:7070")]
    [InlineData(null, null, null, "mux://10.0.0.1:7070")] // an absent ready means ready
    [InlineData(true, null, null, "mux://10.0.0.1:7070")]
    [InlineData(false, true, true, "mux://10.0.0.1:7070 leaving")]
    [InlineData(true, true, true, "mux://10.0.0.1:7070 leaving")] // of a service with publishNotReadyAddresses
    [InlineData(false, false, true, "")]
    [InlineData(false, null, true, "")] // an absent serving is what ready is
    [InlineData(false, false, false, "")]
    [InlineData(false, true, false, "")]
    public void Ready_is_taken_and_serving_while_terminating_is_leaving(bool? ready, bool? serving, bool? terminating, string expected)
    {
        var pod = new Pod("10.0.0.1") { Ready = ready, Serving = serving, Terminating = terminating };
        Assert.Equal(expected, WatchedSource.Text(SetOf(new SliceText("a", 1, pod))));
    }

    [Fact]
    public void Slices_of_a_service_are_one_set_in_the_order_of_their_names() =>
        Assert.Equal("mux://10.0.0.2:7070, mux://10.0.0.1:7070",
            WatchedSource.Text(SetOf(new SliceText("b", 2, new Pod("10.0.0.1")), new SliceText("a", 1, new Pod("10.0.0.2")))));

    [Fact]
    public void A_pod_in_two_slices_is_in_the_set_once()
    {
        var pod = new Pod("10.0.0.1");
        Assert.Equal("mux://10.0.0.1:7070", WatchedSource.Text(SetOf(new SliceText("a", 1, pod), new SliceText("b", 2, pod.Leaving))));
        Assert.Equal("mux://10.0.0.1:7070", WatchedSource.Text(SetOf(new SliceText("a", 1, pod.Leaving), new SliceText("b", 2, pod))));
        Assert.Equal("mux://10.0.0.1:7070", WatchedSource.Text(SetOf(new SliceText("a", 1, pod.Unready), new SliceText("b", 2, pod))));
    }

    [Fact]
    public void The_zone_is_that_of_the_pod_or_else_the_first_that_is_hinted()
    {
        var set = SetOf(new SliceText("a", 1, new Pod("10.0.0.1", "eu-1a") { HintedZone = "eu-1b" }, new Pod("10.0.0.2", null) { HintedZone = "eu-1b" }, new Pod("10.0.0.3", null)));
        Assert.Equal(["eu-1a", "eu-1b", null], set.Select(endpoint => endpoint.Zone));
    }

    [Theory]
    [InlineData("rpc", "mux://10.0.0.1:7070")]
    [InlineData("admin", "mux://10.0.0.1:7071")]
    [InlineData("7071", "mux://10.0.0.1:7071")]
    public void The_port_is_found_by_name_or_number(string port, string expected)
    {
        var slice = new SliceText("a", 1, new Pod("10.0.0.1")) { Ports = [("metrics", 9090, "TCP"), ("rpc", 7070, "TCP"), ("admin", 7071, "TCP"), ("rpc", 7072, "UDP")] };
        Assert.Equal(expected, WatchedSource.Text(SetOf([slice], port)));
    }

    [Fact]
    public void A_named_port_may_have_another_number_in_each_slice()
    {
        var canary = new SliceText("b", 2, new Pod("10.0.0.2")) { Ports = [("rpc", 8080, "TCP")] };
        Assert.Equal("mux://10.0.0.1:7070, mux://10.0.0.2:8080", WatchedSource.Text(SetOf(new SliceText("a", 1, new Pod("10.0.0.1")), canary)));
    }

    [Fact]
    public void A_port_that_the_service_does_not_have_is_an_error_that_names_those_it_has()
    {
        var slice = new SliceText("a", 1, new Pod("10.0.0.1")) { Ports = [("metrics", 9090, "TCP"), ("grpc", 7070, "TCP")] };
        var error = Assert.Throws<InvalidOperationException>(() => SetOf(slice));
        Assert.Equal("orders.prod has no port 'rpc'. Expected the name of a port of the service, or the number at which its pods listen: 'metrics' (9090), 'grpc' (7070).", error.Message);
    }

    [Fact]
    public void A_service_without_pods_is_an_empty_set_whatever_its_ports_are() => Assert.Empty(SetOf(new SliceText("a", 1) { Ports = [] }));

    [Fact]
    public void Pods_that_are_not_ready_make_an_empty_set_and_no_error() => Assert.Empty(SetOf(new SliceText("a", 1, new Pod("10.0.0.1").Unready)));

    [Fact]
    public void A_service_of_both_families_has_each_pod_once()
    {
        SliceText[] slices = [new SliceText("v4", 1, new Pod("10.0.0.1")), new SliceText("v6", 2, new Pod("fd00::1")) { AddressType = "IPv6" }];
        Assert.Equal("mux://10.0.0.1:7070", WatchedSource.Text(SetOf(slices)));
        Assert.Equal("mux://10.0.0.1:7070", WatchedSource.Text(SetOf(slices, types: [SliceTable.IPv4])));
        Assert.Equal("mux://[fd00::1]:7070", WatchedSource.Text(SetOf(slices, types: [SliceTable.IPv6])));
    }

    [Fact]
    public void A_service_of_one_family_has_that_one() =>
        Assert.Equal("mux://[fd00::1]:7070", WatchedSource.Text(SetOf(new SliceText("v6", 2, new Pod("fd00::1")) { AddressType = "IPv6" })));

    [Fact]
    public void A_family_that_the_service_does_not_have_is_an_error()
    {
        var error = Assert.Throws<InvalidOperationException>(() => SetOf([new SliceText("v4", 1, new Pod("10.0.0.1"))], types: [SliceTable.IPv6]));
        Assert.Equal("orders.prod has no IPv6 addresses, but IPv4: change KubernetesDiscoveryOptions.AddressFamily.", error.Message);
    }

    [Fact]
    public void Slices_with_host_names_are_refused()
    {
        var error = Assert.Throws<NotSupportedException>(() => SetOf(new SliceText("a", 1, new Pod("db.example.com")) { AddressType = "FQDN" }));
        Assert.Equal("The EndpointSlice 'a' of orders.prod has the address type 'FQDN': expected IPv4 or IPv6. For servers with host names use a mux+dns address.", error.Message);
    }

    [Fact]
    public void A_table_with_TLS_has_addresses_with_the_name_in_the_certificates()
    {
        var table = new SliceTable("orders.prod", "muxs", "orders.prod.svc", "rpc", s_any);
        table.Set(new SliceText("a", 1, new Pod("10.0.0.1")).Read());
        Assert.Equal("muxs://10.0.0.1:7070?name=orders.prod.svc", WatchedSource.Text(table.ToSet()));
    }

    private static EndpointSet SetOf(params SliceText[] slices) => SetOf(slices, "rpc");

    private static EndpointSet SetOf(SliceText[] slices, string port = "rpc", string[]? types = null)
    {
        var table = new SliceTable("orders.prod", "mux", null, port, types ?? s_any);
        foreach (var slice in slices) table.Set(slice.Read());
        return table.ToSet();
    }
}
