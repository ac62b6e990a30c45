using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Routing;

/// <summary>Calls that wait because no endpoint is known: they end by their deadline, their token, their number and their channel.</summary>
public sealed class UnroutedCallTests : EndToEndTests
{
    private readonly ScriptedSource _source = new();

    [Fact(Timeout = TestLimit)]
    public async Task A_deadline_ends_a_call_that_waits_for_endpoints()
    {
        var time = new ManualTime();
        var channel = CreateChannel(Begin(TransportKind.InMemory, time));
        using var scope = new MuxCallOptions { Timeout = TimeSpan.FromSeconds(5) }.Apply();
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        await _source.Watches.ReachAsync(1);
        time.Advance(TimeSpan.FromSeconds(4.9));
        Assert.False(call.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(0.2));
        var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the end of the call"));
        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Connect), (error.Status, error.Execution, error.Phase));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_token_ends_a_call_that_waits_for_endpoints()
    {
        var channel = CreateChannel(Begin(TransportKind.InMemory));
        using var cancel = new CancellationTokenSource();
        var call = channel.CreateProxy<IDesk>().Ask(new Question(), cancel.Token).AsTask();
        await _source.Watches.ReachAsync(1);
        await cancel.CancelAsync();
        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("the end of the call"));
        Assert.Equal(cancel.Token, error.CancellationToken);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_bytes_of_waiting_calls_are_limited()
    {
        var scene = Begin(TransportKind.InMemory);
        var channel = CreateChannel(scene, options => options.MaxQueuedBytes = 65_536);
        var proxy = channel.CreateProxy<IDesk>();
        var calls = Enumerable.Range(0, 300).Select(id => proxy.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        var refused = calls.Where(call => call.IsFaulted).ToList();
        Assert.InRange(refused.Count, 30, 100);
        foreach (var call in refused) Assert.NotNull(call.Exception);
        var error = (MuxException)refused[0].Exception!.InnerException!;
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (error.Status, error.Execution));
        Assert.Contains("MaxQueuedBytes allows 65536", error.Message, StringComparison.Ordinal);

        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        _source.Report(server);
        await Task.WhenAll(calls.Except(refused)).Within("the calls that waited");
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_end_of_the_channel_ends_calls_that_wait_for_endpoints()
    {
        var channel = CreateChannel(Begin(TransportKind.InMemory));
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        await _source.Watches.ReachAsync(1);
        await channel.DisposeAsync();
        var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the end of the call"));
        Assert.Contains("The channel is disposed.", error.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<MuxException>(() => channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask());
    }

    private MuxChannel CreateChannel(Scene scene, Action<MuxChannelOptions>? configure = null) => scene.CreateChannel(MuxAddress.Parse("mux://unused:1"), options =>
    {
        options.Endpoints = _source;
        configure?.Invoke(options);
    });
}
