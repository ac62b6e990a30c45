using Mux.Client;
using Mux.Discovery;

namespace Mux.Core.Tests.Discovery;

/// <summary>What the address of a channel may be, and what is said of anything else.</summary>
public sealed class EndpointTargetTests
{
    [Theory]
    [InlineData("mux://desk", "mux://desk:7070", false)]
    [InlineData("muxs://desk:5/", "muxs://desk:5", true)]
    [InlineData("muxs://10.0.0.7?name=desk", "muxs://10.0.0.7:7070?name=desk", true)]
    [InlineData("mux+unix:///run/a,b.sock", "mux+unix:///run/a,b.sock", false)]
    [InlineData("mux+pipe://desk", "mux+pipe://desk", false)]
    [InlineData("mux+wss://desk/a,b", "mux+wss://desk:443/a,b", false)]
    public void One_address_is_a_target_without_a_source(string text, string address, bool isTls)
    {
        var target = EndpointTarget.Parse(text);
        Assert.Equal((text, address, isTls), (target.Text, target.Single?.ToString(), target.IsTls));
        Assert.Equal(target.Single, Assert.Single(target.Addresses));
        Assert.Null(target.CreateSource());
        Assert.Null(target.MissingPackage);
    }

    [Theory]
    [InlineData("mux://a:7070,b:7071", "mux://a:7070, mux://b:7071", false)]
    [InlineData("mux://a,b,c/", "mux://a:7070, mux://b:7070, mux://c:7070", false)]
    [InlineData("muxs://[::1]:5,127.0.0.1", "muxs://[::1]:5, muxs://127.0.0.1:7070", true)]
    [InlineData("muxs://10.0.0.1?name=desk,10.0.0.2?name=desk", "muxs://10.0.0.1:7070?name=desk, muxs://10.0.0.2:7070?name=desk", true)]
    public async Task A_list_is_a_target_whose_source_tells_all_addresses_once(string text, string addresses, bool isTls)
    {
        var target = EndpointTarget.Parse(text);
        Assert.Equal((addresses, isTls, null), (string.Join(", ", target.Addresses), target.IsTls, target.Single));
        var source = Assert.IsType<FixedEndpoints>(target.CreateSource());
        Assert.Equal(text, source.Name);
        var sets = await source.WatchAsync(new EndpointRefresh(TimeProvider.System), TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken);
        Assert.Equal(addresses, Assert.Single(sets).ToString());
        Assert.Same(source.Set, sets[0]);
        Assert.All(sets[0], endpoint => Assert.Equal(MuxEndpoint.DefaultWeight, endpoint.Weight));
    }

    [Theory]
    [InlineData("mux+dns://orders.prod:7070", false)]
    [InlineData("mux+dns://orders.prod", false)]
    [InlineData("muxs+dns://orders.prod:1/", true)]
    public void A_DNS_name_is_a_target_whose_source_looks_it_up(string text, bool isTls)
    {
        var target = EndpointTarget.Parse(text);
        Assert.Equal((isTls, null), (target.IsTls, target.Single));
        Assert.Empty(target.Addresses);
        Assert.Equal(text, Assert.IsType<DnsEndpoints>(target.CreateSource()).Name);
        Assert.Null(target.MissingPackage);
    }

    [Theory]
    [InlineData("mux+srv://_rpc._tcp.orders.prod", false, "Mux.Discovery.Dns", "UseDnsSrv()")]
    [InlineData("muxs+srv://_rpc._tcp.orders.prod", true, "Mux.Discovery.Dns", "UseDnsSrv()")]
    [InlineData("mux+service://orders", false, "Mux.Discovery.ServiceDiscovery", "UseServiceDiscovery()")]
    [InlineData("muxs+service://orders", true, "Mux.Discovery.ServiceDiscovery", "UseServiceDiscovery()")]
    [InlineData("mux+etcd://e1:2379,e2:2379/mux/orders", false, "Mux.Discovery.Etcd", "UseEtcd()")]
    [InlineData("mux+etcds://e1/mux/orders", false, "Mux.Discovery.Etcd", "UseEtcd()")]
    [InlineData("mux+k8s://orders.prod:rpc", false, "Mux.Discovery.Kubernetes", "UseKubernetes()")]
    [InlineData("muxs+k8s://orders.prod:rpc", true, "Mux.Discovery.Kubernetes", "UseKubernetes()")]
    public void A_scheme_of_a_package_is_a_target_that_names_the_package_and_the_call(string text, bool isTls, string package, string call)
    {
        var target = EndpointTarget.Parse(text);
        Assert.Equal((text, isTls, null, null), (target.Text, target.IsTls, target.Single, target.CreateSource()));
        Assert.Empty(target.Addresses);
        Assert.Equal($"'{text}' needs the package {package}: install it, and call {call} where the client is added to the host, or set MuxChannelOptions.Endpoints.", target.MissingPackage);
    }

    [Theory]
    [InlineData(null, "'' is not an address: expected mux://host:port, muxs://host:port, mux+unix:///path, mux+pipe://name or mux+ws://host:port/path.")]
    [InlineData("a:7070,b:7070", "'a:7070,b:7070' is not an address: expected mux://host:port, muxs://host:port, mux+unix:///path, mux+pipe://name or mux+ws://host:port/path.")]
    [InlineData("http://desk", "'http://desk' has the unknown scheme 'http': expected mux, muxs, mux+unix, mux+pipe, mux+ws, mux+wss, mux+dns or muxs+dns; or, with a package, mux+srv, muxs+srv, mux+service, muxs+service, mux+etcd, mux+etcds, mux+k8s, muxs+k8s.")]
    [InlineData("mux://a,,b", "'mux://a,,b' has no address at place 2 of its list: expected host:port between commas.")]
    [InlineData("mux://a,", "'mux://a,' has no address at place 2 of its list: expected host:port between commas.")]
    [InlineData("mux://a,mux://b", "'mux://a,mux://b' has 'mux://b' in its list: expected host:port. A list has one scheme, before its first address.")]
    [InlineData("mux://a, b", "'mux://a, b' has ' b' in its list: 'mux:// b' has no usable host: expected a name, an IPv4 address or an IPv6 address in brackets.")]
    [InlineData("mux://a,b:70000", "'mux://a,b:70000' has 'b:70000' in its list: 'mux://b:70000' has the port '70000': expected a number from 0 to 65535.")]
    [InlineData("mux://a,b:0", "'mux://a,b:0' has 'b:0' in its list: expected a port from 1 to 65535.")]
    [InlineData("mux://a,b,A:7070", "'mux://a,b,A:7070' has mux://A:7070 twice in its list.")]
    [InlineData("mux+dns://a,b", "'mux+dns://a,b' has several names: expected one name, whose addresses are all servers.")]
    [InlineData("mux+dns://", "'mux+dns://' has no usable host: expected a name, an IPv4 address or an IPv6 address in brackets.")]
    [InlineData("mux+dns://orders:x", "'mux+dns://orders:x' has the port 'x': expected a number from 0 to 65535.")]
    [InlineData("mux+dns://orders:0", "'mux+dns://orders:0' has the port 0: expected a number from 1 to 65535.")]
    [InlineData("mux+dns://10.0.0.1", "'mux+dns://10.0.0.1' has the IP address 10.0.0.1, which needs no lookup: expected a name, or the address mux://10.0.0.1:7070.")]
    [InlineData("muxs+dns://[::1]:5", "'muxs+dns://[::1]:5' has the IP address ::1, which needs no lookup: expected a name, or the address muxs://[::1]:5.")]
    [InlineData("muxs+dns://orders?name=stock", "'muxs+dns://orders?name=stock' has '?' after its name: the certificates of its servers must contain the name.")]
    public void What_is_no_target_is_told_with_the_part_that_is_wrong(string? text, string expected)
    {
        Assert.False(EndpointTarget.TryParse(text, out var target, out var error));
        Assert.Null(target);
        Assert.Equal(expected, error);
        Assert.Equal(expected, Assert.Throws<FormatException>(() => EndpointTarget.Parse(text!)).Message);
    }
}
