using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Streams;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports.Streams;

namespace Mux.Tests.Floods;

/// <summary>What the caller and the log of the server read when calls get no handlers (event 1032).</summary>
public sealed class HandlerRefusalTests : EndToEndTests
{
    private readonly ManualTime _time = new();
    private readonly Signal _end = new("the end of the handlers");

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_waited_says_how_long_and_the_log_names_the_limit_of_the_server()
    {
        var scene = Begin(TransportKind.Tcp, _time);
        var desk = Desk.AnsweringAfter(_end);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.Limits.MaxHandlers = 1);
        var sut = scene.CreateChannel(server).CreateProxy<IDesk>();
        var first = sut.AskPlainly(new Question()).AsTask();
        await desk.Started.ReachAsync(1);

        using var scope = new MuxCallOptions { Timeout = TimeSpan.FromSeconds(8) }.Apply();
        var call = sut.AskPlainly(new Question()).AsTask();
        await Eventually.Holds(() => server.GetStatistics().CallsParked == 1, "the call that waits");
        await Eventually.Holds(() => Step(call.IsCompleted), "its refusal");

        var error = await call.FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Matches(
            @"The request waited [34](\.\d+)? s, half of its time, for a handler: the server runs as many handlers as Limits\.MaxHandlers allows \(1\)\. " +
            @"Make fewer calls concurrently, give them more time, add servers, or raise Limits\.MaxHandlers\.",
            error.Message);
        Assert.StartsWith(
            "Calls are refused: the server runs as many handlers as Limits.MaxHandlers allows (1).",
            Assert.Single(await scene.Logs.ReachAsync("ServerCallsRefused")).Text, StringComparison.Ordinal);
        _end.Set();
        await first;
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_that_wait_for_handlers_and_fill_the_bytes_for_that_are_logged_as_such()
    {
        var scene = Begin(TransportKind.Tcp, _time);
        var desk = Desk.AnsweringAfter(_end);
        var server = scene.StartServer(
            server => server.AddService<IDesk>(desk),
            options => (options.Limits.MaxHandlers, options.MaxParkedBytes, options.MaxRunningBytes) = (1, 65_536, 65_536));
        var sut = scene.CreateChannel(server).CreateProxy<IDesk>();
        List<Task> calls = [sut.AskPlainly(new Question()).AsTask()];
        await desk.Started.ReachAsync(1);

        await Eventually.Holds(
            () =>
            {
                calls.Add(sut.AskPlainly(new Question { Bytes = new byte[15_000] }).AsTask());
                return scene.Logs.Of("ServerCallsRefused").Count > 0;
            },
            "a refusal in the log");

        Assert.StartsWith(
            "Calls are refused: requests of one connection wait for handlers (Limits.MaxHandlers is 1, Limits.MaxHandlersPerAddress is 1), and fill MaxParkedBytes (65536 bytes).",
            Assert.Single(scene.Logs.Of("ServerCallsRefused")).Text, StringComparison.Ordinal);
        _end.Set();
        var all = Task.WhenAll(calls);
        await Eventually.Holds(() => Step(all.IsCompleted), "all calls");
        _ = all.Exception; // each is looked at
        foreach (var refused in calls.Where(static call => call.IsFaulted))
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => refused);
            Assert.Contains("which MaxParkedBytes (65536) limits: ", error.Message, StringComparison.Ordinal);
        }
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(8, 1, "the connections of one address have as many handlers as Limits.MaxHandlersPerAddress allows (1).")]
    [InlineData(
        2, 2,
        "one connection has its share of the 2 handlers that the server runs at most (Limits.MaxHandlers), and the rest is in use or kept for others.")]
    public async Task The_log_names_the_limit_of_an_address_or_the_share_of_a_connection_if_it_is_the_reason(int places, int ofAddress, string reason)
    {
        var scene = Begin(TransportKind.InMemory, _time);
        var desk = Desk.AnsweringAfter(_end);
        var server = scene.StartServer(
            server => server.AddService<IDesk>(desk), options => (options.Limits.MaxHandlers, options.Limits.MaxHandlersPerAddress) = (places, ofAddress));
        var sut = CreateChannel(scene, server, "10.0.0.1:4711").CreateProxy<IDesk>();
        var first = sut.AskPlainly(new Question()).AsTask();
        await desk.Started.ReachAsync(1);
        using var scope = new MuxCallOptions { Timeout = TimeSpan.FromSeconds(8) }.Apply();
        var call = sut.AskPlainly(new Question()).AsTask();
        await Eventually.Holds(() => server.GetStatistics().CallsParked == 1, "the call that waits");
        await Eventually.Holds(() => Step(call.IsCompleted), "its refusal");
        await call.FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);

        Assert.StartsWith(
            $"Calls are refused: {reason}", Assert.Single(await scene.Logs.ReachAsync("ServerCallsRefused")).Text, StringComparison.Ordinal);
        _end.Set();
        await first;
    }

    private bool Step(bool isDone)
    {
        if (!isDone) _time.Advance(TimeSpan.FromMilliseconds(10));
        return isDone;
    }

    private static MuxChannel CreateChannel(Scene scene, MuxServer server, string from) => scene.CreateChannel(server, options =>
    {
        options.MaxConnections = 1;
        options.Transport = StreamTransport.Connecting((_, _) =>
        {
            var (dialer, acceptor) = StreamPair.Create(dialerAddress: from);
            scene.DialsElsewhere++;
            scene.AcceptsElsewhere++;
            _ = server.ServeAsync(acceptor, CancellationToken.None);
            return new(dialer);
        });
    });
}
