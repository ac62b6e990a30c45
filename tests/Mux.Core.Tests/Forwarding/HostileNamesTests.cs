using System.Globalization;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Server;
using Mux.TestSupport.Connections;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Forwarding;

/// <summary>A peer, frame by frame, that makes up names of methods to take the places of others.</summary>
public sealed class HostileNamesTests
{
    private const int LimitOfRoute = 20, LimitOfConnection = 8;

    private readonly ManualWork _work = new();
    private readonly ForwardedNames _names = new(1_000);
    private readonly HoldingRoute _route;
    private readonly RouteTable _sut;

    public HostileNamesTests()
    {
        var settings = EngineSettings.Of(
            new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport() }, NullLoggerFactory.Instance, MuxAddress.Parse("mux://memory:1")).Calls;
        _route = new HoldingRoute(settings);
        _sut = new RouteTable(_names, LimitOfRoute, LimitOfConnection);
        _sut.Add(new ForwardingRoute("shop.*", "orders", _route, null));
        _sut.Begin(new HandlerEnvironment(MuxDispatchMode.Adaptive, NullLogger.Instance, settings.Durations, DetailedErrors: false));
    }

    [Fact]
    public void Names_that_are_only_defined_take_no_place()
    {
        var peer = Open();
        for (int i = 0; i < 500; i++) peer.Define(i, $"shop.Orders/M{i}");
        Assert.Single(_sut.Found); // what stands for the route
        Assert.Equal(1_000, FreePlaces());
    }

    [Fact]
    public void Names_of_a_peer_that_may_not_call_take_no_place()
    {
        var peer = Open(allows: false);
        for (int i = 0; i < 100; i++)
        {
            peer.Define(i, $"shop.Orders/M{i}");
            peer.Request(new CallId(1, (uint)i + 1), i, []);
            AssertFailed(peer, MuxStatus.PermissionDenied);
        }

        Assert.Empty(_route.Started);
        Assert.Equal(1_000, FreePlaces());
    }

    [Fact]
    public void One_connection_cannot_take_all_places_of_a_route()
    {
        var hostile = Open();
        for (int i = 0; i < 50; i++) Call(hostile, i, $"shop.Orders/Made{i}");
        Assert.Equal(LimitOfConnection, _route.Started.Count);
        foreach (var frame in hostile.ReadAll())
        {
            Assert.True(FailFrame.TryRead(frame.Payload, out var fail, out _));
            Assert.Equal(((byte)MuxStatus.Unimplemented, MuxExecution.NotExecuted), (fail.Status, fail.Execution));
            Assert.Contains("be the first to call at most 8", fail.Text, StringComparison.Ordinal);
        }

        var honest = Open();
        Call(honest, 0, "shop.Orders/Get");
        Assert.Equal(LimitOfConnection + 1, _route.Started.Count);
        Call(hostile, 50, "shop.Orders/Get"); // it has its place
        Call(hostile, 51, "shop.Orders/Made3");
        Assert.Equal(LimitOfConnection + 3, _route.Started.Count);
        Assert.Equal(["Get", "Made3"], _route.Started.TakeLast(2).Select(static started => started.Call.Method.FullName.Split('/')[1]));
    }

    [Fact]
    public void Several_connections_can_take_all_places_of_a_route_and_no_more()
    {
        for (int peer = 0; peer < 4; peer++)
        {
            var hostile = Open();
            for (int i = 0; i < LimitOfConnection; i++) Call(hostile, i, $"shop.Orders/Made{peer}_{i}");
        }

        Assert.Equal(LimitOfRoute, _route.Started.Count);
        var late = Open();
        Call(late, 0, "shop.Orders/Get");
        AssertFailed(late, MuxStatus.Unimplemented);
    }

    [Fact]
    public void A_method_that_was_named_before_its_first_call_by_another_connection_has_one_place()
    {
        ScriptedPeer first = Open(), second = Open();
        first.Define(0, "shop.Orders/Get");
        second.Define(0, "shop.Orders/Get");
        first.Request(new CallId(1, 1), 0, [1]);
        second.Request(new CallId(1, 1), 0, [2]);
        first.Request(new CallId(2, 1), 0, [3]);
        Assert.Equal([1, 2, 3], _route.Started.Select(static started => started.Body[0]));
        Assert.Single(_route.Started.Select(static started => started.Call.Method).Distinct());
        Assert.Equal(999, FreePlaces());
    }

    [Fact]
    public void Streams_of_a_method_that_was_not_called_before_are_forwarded()
    {
        var peer = Open();
        peer.Define(0, "shop.Orders/Talk", Contracts.MethodShape.Duplex);
        peer.RequestStream(new CallId(1, 1), 0, [7]);
        Assert.IsType<ForwardedStream>(Assert.Single(_route.Started).Call);
    }

    [Fact]
    public void The_memory_of_names_counts_until_the_connection_is_over()
    {
        var memory = new MemoryBudget(8 << 20, BudgetLimits.Unbounded);
        var shared = new SharedBudgets(
            new HandlerLimit(BudgetLimits.Unbounded, _ => { }), new UnsentWatch(new ConnectionLedger(), new Clock(TimeProvider.System), BudgetLimits.Unbounded), memory, _ => { });
        var peer = Open(options: new ConnectionOptions { Work = _work, Shared = shared });
        for (int i = 0; i < 100; i++) peer.Define(i, string.Create(CultureInfo.InvariantCulture, $"shop.Orders/{i:D88}"));
        Assert.Equal(100 * (80 + 2 * 100), memory.Used);
        peer.End();
        _work.RunAll();
        Assert.Equal(0, memory.Used);
    }

    private ScriptedPeer Open(bool allows = true, ConnectionOptions? options = null)
    {
        var admission = new ProbeAdmission();
        admission.Decide = _ => Task.FromResult(new Admittance(new ProbeAccess { Allow = _ => allows ? MuxStatus.Ok : MuxStatus.PermissionDenied }, string.Empty));
        var peer = new ScriptedPeer(accepting: true, options ?? new ConnectionOptions { Admission = admission, Work = _work });
        peer.Methods.Fallback = (name, shape) => _sut.Find(name, shape);
        peer.SendHandshake();
        if (options is null)
        {
            peer.SendFrame(FrameKind.Auth, default, AuthCredential.Make("probe", [1]));
            _work.RunAll();
        }

        peer.ReadAll();
        return peer;
    }

    private static void Call(ScriptedPeer peer, int ordinal, string name)
    {
        peer.Define(ordinal, name);
        peer.Request(new CallId(ordinal + 1, 1), ordinal, []);
    }

    private static void AssertFailed(ScriptedPeer peer, MuxStatus status)
    {
        Assert.True(FailFrame.TryRead(peer.Read().Payload, out var fail, out _));
        Assert.Equal(((byte)status, MuxExecution.NotExecuted), (fail.Status, fail.Execution));
    }

    private int FreePlaces()
    {
        int free = 0;
        while (_names.TryTake()) free++;
        return free;
    }
}
