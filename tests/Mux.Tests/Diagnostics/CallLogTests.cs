using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Mux.Tests.Contracts;
using Mux.Tests.Faults;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Diagnostics;

/// <summary>Every call in the logs of both sides, for those who ask for it.</summary>
public sealed class CallLogTests : EndToEndTests
{
    [Theory(Timeout = TestLimit)]
    [InlineData("", MuxStatus.Ok)]
    [InlineData("fail", MuxStatus.NotFound)]
    [InlineData("throw", MuxStatus.Unknown)]
    public async Task Both_sides_log_a_call_and_its_outcome(string what, MuxStatus status)
    {
        var scene = Begin(TransportKind.Tcp);
        scene.ExpectedErrors.Add("HandlerFailed");
        scene.Logs.KeepsCalls = true;
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(new Mixed())));
        var call = channel.CreateProxy<IMixed>().Ask(new Question { Text = what }, cancellationToken: TestContext.Current.CancellationToken);
        if (status == MuxStatus.Ok) await call;
        else await Assert.ThrowsAsync<MuxException>(async () => await call);

        var atServer = Assert.Single(await scene.Logs.ReachAsync("ServerCallEnded"));
        Assert.Equal(("Mux.Server.Calls", LogLevel.Debug), (atServer.Category, atServer.Level));
        Assert.Matches($@"^Call of t\.Mixed/Ask from 127\.0\.0\.1:\d+ ended with {status} after \d+\.\d{{3}} ms\.$", atServer.Text);
        var atClient = Assert.Single(await scene.Logs.ReachAsync("ClientCallEnded"));
        Assert.Equal(("Mux.Client.Calls", LogLevel.Debug), (atClient.Category, atClient.Level));
        Assert.Matches($@"^client 1: call of t\.Mixed/Ask at {channel.Address} ended with {status} after \d+\.\d{{3}} ms\.$", atClient.Text);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Streams_and_one_way_calls_are_logged_as_well()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.Logs.KeepsCalls = true;
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(new Mixed()))).CreateProxy<IMixed>();
        await sut.Tell(new Question());
        Assert.Equal(2, await sut.List(new Question { Names = ["a", "b"] }, TestContext.Current.CancellationToken).CountAsync(TestContext.Current.CancellationToken));
        foreach (var name in new[] { "ServerCallEnded", "ClientCallEnded" })
        {
            var texts = (await scene.Logs.ReachAsync(name, 2)).Select(entry => entry.Text).ToList();
            Assert.Contains(texts, text => text.Contains("t.Mixed/Tell", StringComparison.Ordinal));
            Assert.Contains(texts, text => text.Contains("t.Mixed/List", StringComparison.Ordinal));
        }
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(1)]
    [InlineData(300_000)]
    public async Task Of_the_calls_of_a_method_that_is_absent_only_the_first_of_a_connection_has_a_span_and_a_line(int bytes)
    {
        var scene = Begin(TransportKind.Tcp);
        scene.Logs.KeepsCalls = true;
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(new Mixed())));
        using var spans = new Spans();
        using var durations = new Durations(scene.Meters);
        for (int i = 0; i < 3; i++)
        {
            var error = await Assert.ThrowsAsync<MuxException>(async () => await channel.CreateProxy<INewerMixed>().Missing(new Question { Bytes = new byte[bytes] }));
            Assert.Equal(MuxStatus.Unimplemented, error.Status);
        }

        await Eventually.Holds(() => durations.CountOf("rpc.server.call.duration") == 3, () => "the durations of the server");
        spans.Of(ActivityKind.Server);
        Assert.Single(await scene.Logs.ReachAsync("ServerCallEnded"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_level_that_is_changed_while_calls_run_counts_soon()
    {
        var scene = Begin(TransportKind.Tcp);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IMixed>(new Mixed()))).CreateProxy<IMixed>();
        await sut.Ask(new Question(), cancellationToken: TestContext.Current.CancellationToken);
        Assert.Empty(Logged());
        scene.Logs.KeepsCalls = true;
        while (Logged().Select(entry => entry.Name).Distinct().Count() < 2) await sut.Ask(new Question(), cancellationToken: TestContext.Current.CancellationToken); // a second or two

        IEnumerable<LogEntry> Logged() => scene.Logs.Entries.Where(entry => entry.Category.EndsWith(".Calls", StringComparison.Ordinal));
    }
}
