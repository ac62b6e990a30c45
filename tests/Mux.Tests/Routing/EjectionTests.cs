using Microsoft.Extensions.Logging;
using Mux.Discovery;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Routing;

/// <summary>A server that fails its calls fast looks idle, and would draw more of them: it is left out for a while.</summary>
public sealed class EjectionTests : EndToEndTests
{
    private readonly ManualTime _time = new();
    private readonly ScriptedSource _source = new();
    private readonly Desk[] _desks = [new(), new(), new()];
    private Scene? _scene;
    private MuxServer[] _servers = [];

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_fails_its_calls_is_left_out_probed_and_taken_back()
    {
        _desks[0].OnAsk = (_, _) => throw new MuxException(MuxStatus.Internal, "broken");
        var (channel, proxy) = await ConnectAsync();

        int failed = await CallAsync(proxy, 200);
        Assert.InRange(failed, 10, 40);
        Assert.Equal(failed, _desks[0].Started.Count);
        Assert.Equal([true, false, false], channel.GetEndpoints().Select(endpoint => endpoint.IsEjected));
        Assert.Equal(0, await CallAsync(proxy, 100));
        var ejected = Assert.Single(await _scene!.Logs.ReachAsync("EndpointEjected"));
        Assert.Contains(" ms, because more than half of its calls in the last second have failed. Last: ", ejected.Text, StringComparison.Ordinal);

        await PassAsync(proxy, TimeSpan.FromSeconds(5.5));
        Assert.Equal(failed + 1, _desks[0].Started.Count); // the probe has failed
        ejected = (await _scene.Logs.ReachAsync("EndpointEjected", 2))[1];
        Assert.Contains(" ms, because it has failed again when it was tried. Last: ", ejected.Text, StringComparison.Ordinal);
        _desks[0].OnAsk = static (question, _) => new(new Answer { Id = question.Id });
        await PassAsync(proxy, TimeSpan.FromSeconds(12));
        Assert.All(channel.GetEndpoints(), endpoint => Assert.False(endpoint.IsEjected));
        Assert.InRange(_desks[0].Started.Count, failed + 3, int.MaxValue);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_lacks_the_service_of_the_others_is_left_out()
    {
        var (channel, proxy) = await ConnectAsync(serve: number => number != 0);
        Assert.InRange(await CallAsync(proxy, 400), 10, 40);
        Assert.Equal([true, false, false], channel.GetEndpoints().Select(endpoint => endpoint.IsEjected));
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(0, 1_024)]
    [InlineData(1_024, 0)]
    public async Task A_server_that_accepts_no_calls_is_left_out(int maxCalls, int maxMethods)
    {
        var (channel, proxy) = await ConnectAsync();
        using var raw = new RawServer(_scene!, _ => { }, new PeerSettings { MaxCalls = maxCalls, MaxOrdinals = maxMethods });
        _source.Report([.. _servers.Select(server => new MuxEndpoint(server.Address)), new MuxEndpoint(raw.Address)]);
        await channel.ChoosesAsync(4);
        Assert.InRange(await CallAsync(proxy, 400), 10, 40);
        Assert.Equal([false, false, false, true], channel.GetEndpoints().Select(endpoint => endpoint.IsEjected));
        Assert.Equal(0, raw.Arrived.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_wait_that_a_handler_gives_its_caller_says_nothing_of_the_calls_of_others()
    {
        var (_, proxy) = await ConnectAsync();
        _desks[0].OnAsk = (_, _) => throw new MuxException(MuxStatus.ResourceExhausted, "the quota of one caller") { RetryAfter = TimeSpan.FromDays(1) };
        Assert.Equal(1, await CallUntilFailedAsync(proxy));
        _desks[0].OnAsk = static (question, _) => new(new Answer { Id = question.Id });
        _time.Advance(TimeSpan.FromMilliseconds(100));
        long before = _desks[0].Started.Count;
        Assert.Equal(0, await CallAsync(proxy, 600));
        Assert.InRange(_desks[0].Started.Count - before, 120, 300); // about 70 of 600 while it asks to wait
    }

    [Fact(Timeout = TestLimit)]
    public async Task No_server_is_left_out_if_all_fail()
    {
        foreach (var desk in _desks) desk.OnAsk = (_, _) => throw new MuxException(MuxStatus.Internal, "broken");
        var (channel, proxy) = await ConnectAsync();
        Assert.Equal(200, await CallAsync(proxy, 200));
        Assert.All(channel.GetEndpoints(), endpoint => Assert.False(endpoint.IsEjected));
    }

    [Fact(Timeout = TestLimit)]
    public async Task What_callers_do_wrong_is_not_held_against_a_server()
    {
        _desks[0].OnAsk = (_, _) => throw new MuxException(MuxStatus.PermissionDenied, "not yours");
        var (channel, proxy) = await ConnectAsync();
        Assert.InRange(await CallAsync(proxy, 200), 40, 200);
        Assert.All(channel.GetEndpoints(), endpoint => Assert.False(endpoint.IsEjected));
    }

    [Fact(Timeout = TestLimit)]
    public async Task While_fewer_than_half_are_open_one_that_was_left_out_gets_calls_again_and_the_log_says_so()
    {
        _desks[0].OnAsk = (_, _) => throw new MuxException(MuxStatus.Internal, "broken");
        var (channel, proxy) = await ConnectAsync();
        _scene!.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]);
        int failed = await CallAsync(proxy, 200);
        Assert.InRange(failed, 10, 40);
        Assert.Empty(_scene.Logs.Of("Panic"));

        foreach (var server in _servers[1..]) await server.StopAsync(TestContext.Current.CancellationToken).Within("the stop of a server");

        var panic = Assert.Single(await _scene.Logs.ReachAsync("Panic"));
        Assert.Equal((2013, LogLevel.Warning), (panic.Id, panic.Level));
        Assert.Contains("too few endpoints of test://desks are open: 1 of ", panic.Text, StringComparison.Ordinal);
        Assert.Contains($"get calls again: {_servers[0].Address}.", panic.Text, StringComparison.Ordinal);
        Assert.Equal(20, await CallAsync(proxy, 20));
        Assert.Equal(failed + 20, _desks[0].Started.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Of_a_server_that_cannot_be_reached_the_log_says_that_connections_failed()
    {
        var (_, proxy) = await ConnectAsync();
        _scene!.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]);
        await _servers[0].StopAsync(TestContext.Current.CancellationToken).Within("the stop of a server");

        await Eventually.Holds(
            () =>
            {
                _time.Advance(TimeSpan.FromMilliseconds(100)); // pauses between dials
                return _scene.Logs.Of("EndpointEjected").Count > 0;
            },
            "the ejection");

        Assert.Equal(0, await CallAsync(proxy, 100));
        var ejected = Assert.Single(_scene.Logs.Of("EndpointEjected"));
        Assert.Contains($": {_servers[0].Address} gets no calls for ", ejected.Text, StringComparison.Ordinal);
        Assert.Contains(" ms, because 5 connections to it or more have failed in a row. Last: ", ejected.Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Servers_that_are_about_to_stop_get_the_calls_rather_than_one_that_was_left_out()
    {
        _desks[0].OnAsk = (_, _) => throw new MuxException(MuxStatus.Internal, "broken");
        var (channel, proxy) = await ConnectAsync(configure: (_, options) => options.StopDelay = TimeSpan.FromSeconds(5));
        int failed = await CallAsync(proxy, 200);
        Assert.InRange(failed, 10, 40);

        foreach (var server in _servers[1..]) server.AnnounceStop();
        await Eventually.Holds(() => channel.GetEndpoints().Count(endpoint => endpoint.IsLeaving) == 2, "the client to know");

        Assert.Equal(0, await CallAsync(proxy, 50));
        Assert.Equal(failed, _desks[0].Started.Count);
        Assert.Empty(_scene!.Logs.Of("Panic"));
        await Task.WhenAll(_servers.Select(server => server.AwaitStopDelayAsync(new CancellationToken(canceled: true))));
    }

    private static async Task<int> CallUntilFailedAsync(IDesk proxy)
    {
        int failed = 0;
        for (int i = 0; i < 200 && failed == 0; i++) failed = await CallAsync(proxy, 1);
        return failed;
    }

    private static async Task<int> CallAsync(IDesk proxy, int count)
    {
        int failed = 0;
        for (int i = 0; i < count; i++)
        {
            try
            {
                await proxy.AskPlainly(new Question { Id = i });
            }
            catch (MuxException)
            {
                failed++;
            }
        }

        return failed;
    }

    /// <summary>Lets time pass while calls are made.</summary>
    private async Task PassAsync(IDesk proxy, TimeSpan time)
    {
        for (var passed = TimeSpan.Zero; passed < time; passed += TimeSpan.FromMilliseconds(100))
        {
            _time.Advance(TimeSpan.FromMilliseconds(100));
            await CallAsync(proxy, 3);
        }
    }

    /// <param name="serve">Which servers have the service; all if it is null.</param>
    /// <param name="configure">Gets the number and the options of each server.</param>
    private async Task<(MuxChannel Channel, IDesk Proxy)> ConnectAsync(Predicate<int>? serve = null, Action<int, MuxServerOptions>? configure = null)
    {
        var scene = _scene = Begin(TransportKind.InMemory, _time);
        var servers = _servers = [.. _desks.Select((desk, number) => scene.StartServer(
            server => _ = serve?.Invoke(number) == false ? server : server.AddService<IDesk>(desk), options => configure?.Invoke(number, options)))];
        _source.Report(servers);
        var channel = scene.CreateChannel(servers[0].Address, options =>
        {
            options.Endpoints = _source;
            options.Balancing.SlowStart = TimeSpan.Zero;
        });
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await channel.ChoosesAsync(3);
        return (channel, channel.CreateProxy<IDesk>());
    }
}
