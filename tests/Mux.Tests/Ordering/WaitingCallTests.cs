using Mux.Engine;
using Mux.Telemetry;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.EndToEnd;
using Mux.Tests.Routing;

namespace Mux.Tests.Ordering;

/// <summary>Calls that wait for their key: they end like any other call that waits, and a server waits for them when it stops.</summary>
public sealed class WaitingCallTests : EndToEndTests
{
    private readonly Accounts _accounts = new();
    private readonly Signal _end = new("the end of the handler that all wait for");
    private MuxServer _server = null!;
    private Scene? _scene;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_that_is_cancelled_while_it_waits_does_not_run(TransportKind kind)
    {
        var (sut, first) = await BlockAsync(Begin(kind));
        using var cancellation = new CancellationTokenSource();
        var cancelled = sut.Add(1, 1, cancellation.Token).AsTask();
        var last = sut.Add(1, 2, Token).AsTask();
        await Eventually.Holds(() => Waiting == 2, () => $"two calls to wait, not {Waiting}");

        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.Within("the call that is cancelled"));
        await Eventually.Holds(() => Waiting == 1, () => $"one call to wait, not {Waiting}");
        _end.Set();

        await Task.WhenAll(first, last).Within("the others");
        Assert.Equal([0, 2], _accounts.NumbersOf(1));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_whose_deadline_passes_while_it_waits_is_ended_and_does_not_run(TransportKind kind)
    {
        var (sut, first) = await BlockAsync(Begin(kind));
        using var scope = new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(50) }.Apply();
        var late = sut.Add(1, 1, Token).AsTask();

        var error = await Assert.ThrowsAsync<MuxException>(() => late.Within("the call whose deadline passes"));
        await Eventually.Holds(() => Waiting == 0, () => $"no call to wait, not {Waiting}");
        _end.Set();

        await first.Within("the first call");
        Assert.Equal(MuxStatus.DeadlineExceeded, error.Status);
        Assert.Equal([0], _accounts.NumbersOf(1));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task The_thousand_and_twenty_fifth_call_of_a_key_is_refused(TransportKind kind)
    {
        var scene = Begin(kind);
        var (sut, first) = await BlockAsync(scene, KeyTable.DefaultMaxCallsOfKey + 100);
        var waiting = Enumerable.Range(1, KeyTable.DefaultMaxCallsOfKey - 1).Select(number => sut.Add(1, number, Token).AsTask()).ToArray();
        await Eventually.Holds(() => Waiting == KeyTable.DefaultMaxCallsOfKey - 1, () => $"calls to wait, not {Waiting}");

        var refused = await sut.Add(1, -1, Token).FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Equal(2, await sut.Add(2, 2, Token).AsTask().Within("a call of another key"));
        _end.Set();

        Assert.Contains("1024 calls with this key", refused.Message, StringComparison.Ordinal);
        await Task.WhenAll([first, .. waiting]).Within("the calls that were taken");
        Assert.Equal(Enumerable.Range(0, KeyTable.DefaultMaxCallsOfKey), _accounts.NumbersOf(1));
        Assert.Equal(1, Read(MetricNames.OrderRefusedCalls));
        await Eventually.Holds(() => Read(MetricNames.OrderKeys) == 0, "no key to have calls");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_that_stops_waits_for_them(TransportKind kind)
    {
        var (sut, first) = await BlockAsync(Begin(kind));
        var waiting = Enumerable.Range(1, 10).Select(number => sut.Add(1, number, Token).AsTask()).ToArray();
        await Eventually.Holds(() => Waiting == 10, () => $"ten calls to wait, not {Waiting}");

        var stopping = _server.DisposeAsync().AsTask();
        Assert.False(stopping.IsCompleted);
        _end.Set();

        await Task.WhenAll([first, .. waiting]).Within("all calls");
        await stopping.Within("the stop");
        Assert.Equal(Enumerable.Range(0, 11), _accounts.NumbersOf(1));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Those_of_a_connection_that_is_lost_do_not_run_and_others_wait_for_the_one_that_does(TransportKind kind)
    {
        var scene = Begin(kind);
        var (sut, first) = await BlockAsync(scene, configure: options => options.DrainTimeout = TimeSpan.Zero);
        var waiting = sut.Add(1, 1, Token).AsTask();
        await Eventually.Holds(() => Waiting == 1, () => $"a call to wait, not {Waiting}");
        var other = scene.CreateChannel(_server).CreateProxy<IAccounts>();
        var third = other.Add(1, 2, Token).AsTask();
        await Eventually.Holds(() => Waiting == 2, () => $"two calls to wait, not {Waiting}");

        await scene.Channels[0].DisposeAsync();
        await Eventually.Holds(() => Waiting == 1, () => $"one call to wait, not {Waiting}");
        Assert.Equal([0], _accounts.NumbersOf(1));
        _end.Set();

        Assert.Equal(2, await third.Within("the call of the other client"));
        Assert.Equal([0, 2], _accounts.NumbersOf(1));
        await Assert.ThrowsAsync<MuxException>(() => first);
        await Assert.ThrowsAsync<MuxException>(() => waiting);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_goes_to_the_next_server_when_those_before_it_have_ended(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.Disposed); // the channel dials the server that is gone until it is disposed
        MuxServer[] servers = [.. Enumerable.Range(0, 2).Select(_ => scene.StartServer(server => server.AddService<IAccounts>(_accounts)))];
        BlockFirst();
        var source = new ScriptedSource();
        source.Report(servers);
        var channel = scene.CreateChannel(MuxAddress.Parse("mux://unused:1"), options => options.Endpoints = source);
        var sut = channel.CreateProxy<IAccounts>();
        await channel.ConnectAsync(Token);
        await Eventually.Holds(() => channel.GetEndpoints().Count(static endpoint => endpoint.IsOpen) == 2, "two servers");
        var first = sut.Add(1, 0, Token).AsTask();
        await Eventually.Holds(() => _accounts.NumbersOf(1).Length == 1, "the first handler");
        var stopped = channel.GetEndpoints().Single(static endpoint => endpoint.Calls == 1).Endpoint.Address;
        var stopping = servers.Single(server => server.Address == stopped).DisposeAsync().AsTask();
        await Eventually.Holds(() => channel.GetEndpoints().Single(endpoint => endpoint.Endpoint.Address == stopped) is { IsOpen: false }, "the drain");

        var others = Enumerable.Range(1, 5).Select(number => sut.Add(1, number, Token).AsTask()).ToArray();
        Assert.Equal(0, await sut.Add(2, 0, Token).AsTask().Within("a call of another key"));
        Assert.Equal([0], _accounts.NumbersOf(1));
        Assert.Equal(5, channel.GetStatistics().CallsWaiting);
        _end.Set();

        await Task.WhenAll([first, .. others]).Within("the calls of the key");
        await stopping.Within("the stop");
        Assert.Equal(Enumerable.Range(0, 6), _accounts.NumbersOf(1));
        Assert.Equal(0, _accounts.Overlaps);
    }

    private long Waiting => Read(MetricNames.OrderWaitingCalls);

    private long Read(string name) => _scene!.Meters.Read().Where(reading => reading.Instrument == name).Sum(static reading => reading.Value);

    private void BlockFirst() => _accounts.OnRun = (account, number, _) => (account, number) == (1, 0) ? new(_end.WaitAsync()) : default;

    /// <summary>Makes a call whose handler ends when the test says so.</summary>
    private async Task<(IAccounts Proxy, Task First)> BlockAsync(Scene scene, int calls = 1_000, Action<MuxChannelOptions>? configure = null)
    {
        _scene = scene;
        BlockFirst();
        _server = scene.StartServer(server => server.AddService<IAccounts>(_accounts), options => options.MaxCallsPerConnection = calls);
        var sut = scene.CreateChannel(_server, configure).CreateProxy<IAccounts>();
        var first = sut.Add(1, 0, Token).AsTask();
        await _accounts.Started.ReachAsync(1);
        return (sut, first);
    }
}
