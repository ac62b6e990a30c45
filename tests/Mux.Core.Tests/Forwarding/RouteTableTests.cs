using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Client;
using Mux.Contracts;
using Mux.Engine;
using Mux.Server;
using Mux.TestSupport.Connections;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Forwarding;

/// <summary>Clients choose the names of the methods that a gateway forwards.</summary>
public sealed class RouteTableTests
{
    private readonly ChannelRoute _calls = new(EngineSettings.Of(
        new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport() }, NullLoggerFactory.Instance, MuxAddress.Parse("mux://memory:1")));

    private readonly ScriptedPeer _peer = ScriptedPeer.Open(accepting: true);

    [Fact]
    public void Names_are_forwarded_up_to_the_limit_and_those_after_it_are_refused_as_not_implemented()
    {
        var sut = Create(limit: 3);
        var kept = Enumerable.Range(0, 3).Select(number => Find(sut, $"shop.Orders/M{number}")).ToList();
        Assert.All(kept, static method => Assert.True(method!.IsServed));
        var refused = Find(sut, "shop.Orders/M3");
        Assert.False(refused!.IsServed);
        Assert.Contains("and 3 in all", refused.Absence, StringComparison.Ordinal);
        Assert.Same(refused, Find(sut, "shop.Orders/M4"));
        Assert.Equal(kept, Enumerable.Range(0, 3).Select(number => Find(sut, $"shop.Orders/M{number}"))); // known names go on
        Assert.Equal(3 + 2, sut.Found.Count()); // and one for each route
    }

    [Fact]
    public void The_limit_is_that_of_the_process_and_not_of_one_gateway()
    {
        var names = new ForwardedNames(1);
        Assert.True(Find(Create(names), "shop.Orders/A")!.IsServed);
        Assert.False(Find(Create(names), "shop.Orders/A")!.IsServed);
        Assert.Equal(4096, ForwardedNames.OfProcess.Limit);
    }

    [Theory]
    [InlineData("other.Orders/Get")]
    [InlineData("shop")]
    [InlineData("shop.Orders")]
    [InlineData("shop.Orders/")]
    [InlineData("/Get")]
    [InlineData("shop.Orders/G\u00E4t")]
    [InlineData("shop.Orders/G t")]
    [InlineData("shop.Orders/G\u007F")]
    public void Names_that_no_route_covers_or_that_are_none_take_no_place(string name)
    {
        var names = new ForwardedNames(1);
        Assert.Null(Find(Create(names), name));
        Assert.True(names.TryTake());
    }

    [Fact]
    public void Bytes_that_are_no_UTF8_take_no_place_however_long_they_get_as_characters()
    {
        var names = new ForwardedNames(1);
        var sut = new MethodTable([], fallback: Create(names));
        byte[] name = [.. "shop.Orders/"u8, .. Enumerable.Repeat((byte)0xFF, 244)];
        Assert.False(sut.Resolve(name, MethodShape.Unary).IsServed);
        Assert.True(names.TryTake());
    }

    [Fact]
    public void Names_made_up_for_one_route_leave_places_for_the_others()
    {
        var sut = Create(new ForwardedNames(10), limitOfRoute: 2);
        Assert.All(Enumerable.Range(0, 9), number => Assert.Equal(number < 2, Find(sut, $"shop.Orders/M{number}")!.IsServed));
        Assert.True(Find(sut, "hr.Directory/Find")!.IsServed);
        Assert.Contains("at most 2 different ones by one route", Find(sut, "shop.Orders/M3")!.Absence, StringComparison.Ordinal);
    }

    [Fact]
    public void A_name_with_several_shapes_has_a_method_for_each()
    {
        var sut = Create(limit: 10);
        foreach (var shape in new[] { MethodShape.Unary, MethodShape.Duplex, MethodShape.OneWay })
        {
            var method = Find(sut, "shop.Orders/Get", shape)!;
            Assert.Equal((shape, shape & MethodShape.Duplex), (method.Descriptor!.Shape, method.Streams));
            Assert.Equal("orders", sut.ClientOf(method.Descriptor));
        }

        Assert.Null(sut.ClientOf(new MethodDescriptor("shop.Orders", "Get", MethodShape.Unary, takesToken: false)));
    }

    [Fact]
    public void Routes_to_the_same_channel_share_the_lower_limits()
    {
        var sut = new RouteTable(new ForwardedNames(1));
        ForwardingRoute first = new("a.*", "x", _calls, null, maxCalls: 100, maxRequestStreams: 10), second = new("b", "x", _calls, null, maxCalls: 50, maxRequestStreams: 20);
        sut.Add(first);
        sut.Add(second);
        Assert.Same(first.Limit, second.Limit);
        Assert.Equal((50, 10), (first.Limit.Calls, first.Limit.RequestStreams));
    }

    /// <summary>Finds a method, as the first call of a peer does.</summary>
    private InboundMethod? Find(RouteTable sut, string name, MethodShape shape = MethodShape.Unary)
    {
        var found = sut.Find(name, shape);
        return found is UncalledMethod uncalled ? uncalled.Admit(_peer.Sut) : found;
    }

    private RouteTable Create(int limit) => Create(new ForwardedNames(limit));

    private RouteTable Create(ForwardedNames names, int limitOfRoute = ForwardedNames.LimitOfRoute)
    {
        var table = new RouteTable(names, limitOfRoute);
        table.Add(new ForwardingRoute("hr.Directory", "people", _calls, null));
        table.Add(new ForwardingRoute("shop.*", "orders", _calls, null));
        table.Begin(new HandlerEnvironment(MuxDispatchMode.Adaptive, NullLogger.Instance, EngineSettings.Of(
            new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport() }, NullLoggerFactory.Instance, MuxAddress.Parse("mux://memory:1")).Calls.Durations, false));
        return table;
    }
}
