using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Callbacks;

/// <summary>Handlers that call back more than their callers read: what waits is bounded, and no other call has to wait.</summary>
public sealed class CallbackFloodTests : CallbackTests
{
    private const int Most = 64, Calls = 2_000;

    /// <summary>A caller that reads the first message of a stream, and no more.</summary>
    private static readonly PeerSettings s_deaf = new() { StreamCredit = 1 };

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task One_way_callbacks_that_nobody_awaits_are_refused_beyond_the_limit_and_the_others_arrive_in_order(TransportKind kind)
    {
        var release = new Signal("the release of the callback");
        var flooded = new Signal("the end of the flood");
        int refused = 0;
        Callback.OnReport = async _ => await release.WaitAsync();
        Service.OnImport = async (_, progress, _) =>
        {
            var reports = Flood(progress);
            flooded.Set();
            foreach (var report in reports)
            {
                if (await Record.ExceptionAsync(() => report) is not { } error) continue;
                Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (Assert.IsType<MuxException>(error).Status, ((MuxException)error).Execution));
                refused++;
            }

            return reports.Count;
        };
        var sut = Start(Begin(kind));
        var import = ImportAsync(sut);
        await flooded.WaitAsync();
        Assert.Equal(7, await sut.Echo(7, TestContext.Current.CancellationToken).AsTask().Within("a call during the flood"));
        release.Set();

        Assert.Equal(Calls, await import);
        Assert.True(refused > 0, "The flood has met no limit.");
        Assert.Equal(Calls - refused, Callback.Seen.Count);
        var seen = Callback.Seen.Select(static text => int.Parse(text[..^1], System.Globalization.CultureInfo.InvariantCulture)).ToList();
        Assert.Equal(seen.Order(), seen);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_flood_that_the_caller_does_not_read_takes_no_memory()
    {
        const int Rounds = 10;
        var measured = new Signal("the measurement");
        long least = long.MaxValue; // what a flood takes it takes in each round; what the runtime and the tests before it made or let go is in some
        Service.OnImport = async (_, progress, token) =>
        {
            Assert.InRange(FloodAndForget(progress), 0, 2 * Most); // what may wait does from now on
            for (int round = 0; round < Rounds; round++)
            {
                long before = ManagedMemory.Read();
                Assert.InRange(FloodAndForget(progress), 0, 2 * Most);
                least = Math.Min(least, ManagedMemory.Read() - before);
            }

            measured.Set();
            await EndOf(token);
            return 1;
        };
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var server = scene.StartServer(server => server.AddService<IImports>(Service));
        using var sut = new RawCaller(scene, server.Address, "test.Imports/Import", s_deaf);
        await sut.CallAsync(CallbackBytes.Text("file"));
        await measured.WaitAsync();
        Assert.InRange(least, long.MinValue, 100_000); // of 2,000 messages, which take 600 kB
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_caller_that_answers_what_it_has_not_been_asked_yet_fails_the_call(TransportKind kind)
    {
        var asked = new Signal("ten questions");
        var ended = new Signal("the end of the handler");
        var answered = new List<Task<string>>();
        Service.OnImport = async (_, progress, token) =>
        {
            for (int i = 0; i < 10; i++) answered.Add(progress.Ask("?", token).AsTask());
            asked.Set();
            try
            {
                await EndOf(token);
            }
            finally
            {
                ended.Set();
            }

            return 1;
        };
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var server = scene.StartServer(server => server.AddService<IImports>(Service));
        using var sut = new RawCaller(scene, server.Address, "test.Imports/Import", s_deaf);
        await sut.CallAsync(CallbackBytes.Text("file"));
        await asked.WaitAsync();
        await sut.ItemsArrived.ReachAsync(1);
        sut.SendItem([0x08, 0x89, 0x05, 0x22, 3, .. CallbackBytes.Text("x")]); // to the tenth, whose id can be computed: 10 * 64 + 9
        await ended.WaitAsync();
        Assert.DoesNotContain(answered, static answer => answer.IsCompletedSuccessfully);
    }

    /// <returns>Number of callbacks that did not fail.</returns>
    private static int FloodAndForget(IProgress progress) => Flood(progress).Count(static report => report.Exception is null);

    /// <summary>Makes callbacks and awaits none.</summary>
    private static List<Task> Flood(IProgress progress) => [.. Enumerable.Range(0, Calls).Select(i => progress.Report(i).AsTask())];
}
