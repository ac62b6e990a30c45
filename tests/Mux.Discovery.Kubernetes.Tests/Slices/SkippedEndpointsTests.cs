using System.Text.Json;
using Mux.Discovery.Kubernetes.Slices;
using Mux.Discovery.Kubernetes.Tests.Server;

namespace Mux.Discovery.Kubernetes.Tests.Slices;

/// <summary>Slices that Kubernetes itself never writes: what cannot be used of one is skipped and reported, and the others count.</summary>
public sealed class SkippedEndpointsTests
{
    private static readonly SliceText s_good = new("a", 1, new Pod("10.0.0.1"));

    private readonly SliceTable _table = new("orders.prod", "mux", null, "rpc", [SliceTable.IPv4, SliceTable.IPv6]);

    [Theory]
    [InlineData("999.1.1.1")]
    [InlineData("a.b")] // a name would be looked up by DNS
    [InlineData("")]
    [InlineData("7")] // 0.0.0.7 to the parser
    [InlineData("10.1")]
    [InlineData("::1")]
    [InlineData("10.0.0.1 ")]
    public void An_address_that_is_none_of_the_type_is_skipped_and_named(string address)
    {
        _table.Set(s_good.Read());
        _table.Set(new SliceText("z", 2, new Pod(address), new Pod("10.0.0.2")).Read());
        Assert.Equal("mux://10.0.0.1:7070, mux://10.0.0.2:7070", WatchedSource.Text(_table.ToSet()));
        AssertReported("z", $"an endpoint has the address '{address}': expected IPv4");
    }

    [Theory]
    [InlineData("10.0.0.1")]
    [InlineData("fe80::1%2")]
    [InlineData("[::1]")]
    public void An_address_in_a_slice_of_IPv6_is_one(string address)
    {
        _table.Set(new SliceText("z", 2, new Pod(address), new Pod("fd00::1")) { AddressType = "IPv6" }.Read());
        Assert.Equal("mux://[fd00::1]:7070", WatchedSource.Text(_table.ToSet()));
        AssertReported("z", $"an endpoint has the address '{address}': expected IPv6");
    }

    [Theory]
    [InlineData(0, "its port 'rpc' is 0: expected 1 to 65535")]
    [InlineData(70_000, "its port 'rpc' is 70000: expected 1 to 65535")]
    [InlineData(-1, "its port 'rpc' is -1: expected 1 to 65535")]
    [InlineData(null, "its port 'rpc' has no number")]
    public void A_port_that_is_none_is_skipped_and_named(int? port, string expected)
    {
        _table.Set(s_good.Read());
        _table.Set(new SliceText("z", 2, new Pod("10.0.0.2")) { Ports = [("rpc", port, "TCP")] }.Read());
        Assert.Equal("mux://10.0.0.1:7070", WatchedSource.Text(_table.ToSet()));
        AssertReported("z", expected);
    }

    [Theory]
    [InlineData("""{"metadata":{"name":"z"},"addressType":"IPv4","ports":[null,{"name":"rpc","port":1}],"endpoints":[null]}""", "z", "an endpoint is null")]
    [InlineData("""{"metadata":{"name":"z"},"addressType":"IPv4","ports":[{"name":"rpc","port":1}],"endpoints":[{"addresses":null}]}""", "z", "an endpoint has no address")]
    [InlineData("""{"metadata":{"name":"z"},"addressType":"IPv4","ports":[{"name":"rpc","port":1}],"endpoints":[{"addresses":[null]}]}""", "z", "an endpoint has no address")]
    [InlineData("""{"metadata":null}""", "(without a name)", "it has no name")]
    [InlineData("{}", "(without a name)", "it has no name")]
    [InlineData("null", "(without a name)", "it has no name")]
    public void What_is_null_is_skipped_and_named(string slice, string name, string expected)
    {
        _table.Add(s_good.Read());
        _table.Add(JsonSerializer.Deserialize(slice, SliceJson.Default.EndpointSlice));
        Assert.Equal("mux://10.0.0.1:7070", WatchedSource.Text(_table.ToSet()));
        AssertReported(name, expected);
    }

    [Fact]
    public void A_reason_is_reported_once_until_it_changes()
    {
        _table.Set(s_good.Read());
        _table.Set(new SliceText("z", 2, new Pod("x")).Read());
        _table.ToSet();
        _table.Clear(); // and lists again
        _table.Set(s_good.Read());
        _table.Set(new SliceText("z", 3, new Pod("x")).Read());
        _table.ToSet();
        Assert.Single(_table.TakeSkipped());
        _table.Set(new SliceText("z", 4, new Pod("y")).Read());
        _table.ToSet();
        Assert.Single(_table.TakeSkipped());
        _table.ToSet();
        Assert.Empty(_table.TakeSkipped());
    }

    [Fact]
    public void If_nothing_can_be_used_it_is_a_failure_and_not_an_empty_set()
    {
        _table.Set(new SliceText("z", 2, new Pod(new string('x', 100))).Read());
        var error = Assert.Throws<InvalidDataException>(() => _table.ToSet());
        Assert.Equal($"No endpoint of orders.prod can be used. EndpointSlice 'z': an endpoint has the address '{new string('x', 64)}...': expected IPv4.", error.Message);
    }

    private void AssertReported(string slice, string reason) => Assert.Equal((slice, reason), Assert.Single(_table.TakeSkipped()));
}
