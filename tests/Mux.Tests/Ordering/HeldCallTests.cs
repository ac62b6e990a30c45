using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.EndToEnd;
using Mux.Tests.Routing;

namespace Mux.Tests.Ordering;

/// <summary>Ordered calls that a client holds, because those before them are open at a server that stops: none of them waits for ever.</summary>
public sealed class HeldCallTests : EndToEndTests
{
    private const int Held = 20;

    private readonly Accounts _accounts = new();
    private readonly Signal _end = new("the end of the handler that all wait for");
    private MuxChannel _channel = null!;
    private IAccounts _sut = null!;
    private Task _first = null!;
    private Task _stopping = null!;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private long Waiting => _channel.GetStatistics().CallsWaiting;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task They_end_at_once_when_they_are_cancelled_or_their_deadlines_pass(TransportKind kind)
    {
        await StopOneOfAsync(2, Begin(kind));
        using var cancellation = new CancellationTokenSource();
        var cancelled = Enumerable.Range(1, Held).Select(number => _sut.Add(1, number, cancellation.Token).AsTask()).ToArray();
        Task[] late;
        using (new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(50) }.Apply()) late = [.. Enumerable.Range(100, Held).Select(number => _sut.Add(1, number, Token).AsTask())];
        var last = _sut.Add(1, 1_000, Token).AsTask();
        foreach (var call in late) await call.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Queue).Within("a call whose deadline passes");
        await cancellation.CancelAsync();
        foreach (var call in cancelled) await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("a call that is cancelled"));
        await Eventually.Holds(() => Waiting == 1, () => $"one call to wait, not {Waiting}");
        Assert.False(last.IsCompleted);
        _end.Set();

        await Task.WhenAll(_first, last).Within("the first call and the last one");
        await _stopping.Within("the stop");
        Assert.Equal([0, 1_000], _accounts.NumbersOf(1));
        Assert.Equal(1_001, await _sut.Add(1, 1_001, Token).AsTask().Within("a call after them"));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task They_fail_unexecuted_when_their_channel_is_disposed(TransportKind kind)
    {
        await StopOneOfAsync(2, Begin(kind));
        var held = Enumerable.Range(1, Held).Select(number => _sut.Add(1, number, Token).AsTask()).ToArray();
        Assert.Equal(Held, Waiting);
        var disposing = _channel.DisposeAsync().AsTask();
        foreach (var call in held)
        {
            var failure = await Assert.ThrowsAsync<MuxException>(() => call.Within("a call of a channel that is disposed"));
            Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
        }

        _end.Set();
        await _first.Within("the first call");
        await disposing.Within("the disposal");
        await _stopping.Within("the stop");
        Assert.Equal([0], _accounts.NumbersOf(1));
        await Assert.ThrowsAsync<MuxException>(() => _sut.Add(1, -1, Token).AsTask().Within("a call after the disposal"));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task They_fail_unexecuted_when_no_other_server_is_left(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        await StopOneOfAsync(1, scene);
        var held = Enumerable.Range(1, Held).Select(number => _sut.Add(1, number, Token).AsTask()).ToArray();
        _end.Set();

        await _first.Within("the first call");
        foreach (var call in held)
        {
            var failure = await Assert.ThrowsAsync<MuxException>(() => call.Within("a call that no server takes"));
            Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
        }

        await _stopping.Within("the stop");
        Assert.Equal([0], _accounts.NumbersOf(1));
        Assert.Equal(0, Waiting);
    }

    /// <summary>Makes a call whose handler runs until the test ends it, and begins to stop its server.</summary>
    private async Task StopOneOfAsync(int servers, Scene scene)
    {
        scene.ExpectedEnds.UnionWith([CloseReason.Disposed, CloseReason.ConnectFailed]); // the channel dials the server that is gone until it is disposed
        _accounts.OnRun = (account, number, _) => (account, number) == (1, 0) ? new(_end.WaitAsync()) : default;
        MuxServer[] all = [.. Enumerable.Range(0, servers).Select(_ => scene.StartServer(server => server.AddService<IAccounts>(_accounts)))];
        var source = new ScriptedSource();
        source.Report(all);
        _channel = scene.CreateChannel(MuxAddress.Parse("mux://unused:1"), options => options.Endpoints = source);
        _sut = _channel.CreateProxy<IAccounts>();
        await _channel.ConnectAsync(Token);
        await Eventually.Holds(() => _channel.GetEndpoints().Count(static endpoint => endpoint.IsOpen) == servers, "all servers");
        _first = _sut.Add(1, 0, Token).AsTask();
        await _accounts.Started.ReachAsync(1);
        var stopped = _channel.GetEndpoints().Single(static endpoint => endpoint.Calls == 1).Endpoint.Address;
        _stopping = all.Single(server => server.Address == stopped).DisposeAsync().AsTask();
        await Eventually.Holds(() => _channel.GetEndpoints().Single(endpoint => endpoint.Endpoint.Address == stopped) is { IsOpen: false }, "the drain");
    }
}
