using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Ordering;

/// <summary>A one-way call that fails after its caller has continued is told: by an event, a metric, and to a caller that awaits its answer.</summary>
public sealed class OneWayFailureTests : EndToEndTests
{
    /// <summary>Calls that a server takes of one key: the one that runs, and those that wait.</summary>
    private const int KeyLimit = 1_024;

    private readonly Accounts _accounts = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_one_way_call_that_is_refused_at_the_limit_of_its_key_is_told_by_event_and_metric(TransportKind kind)
    {
        var (scene, sut, end) = await FillAsync(kind);

        await sut.Tell(1, KeyLimit);

        await Eventually.Holds(() => scene.Logs.Of("OneWayCallFailed").Count > 0, "the event");
        var told = scene.Logs.Of("OneWayCallFailed")[0].Text;
        Assert.Contains("test.Accounts/Tell", told, StringComparison.Ordinal);
        Assert.Contains("ResourceExhausted, not executed", told, StringComparison.Ordinal);
        Assert.Contains("1024 calls with this key run or wait here, which is the limit", told, StringComparison.Ordinal);
        Assert.Contains("MuxCallOptions.Acknowledged", told, StringComparison.Ordinal);
        var failures = Assert.Single(scene.Meters.Read(), static reading => reading.Instrument == "mux.client.one_way_failures");
        Assert.Equal((1, "test.Accounts/Tell", "RESOURCE_EXHAUSTED"), (failures.Value, failures.Tag("rpc.method"), failures.Tag("rpc.status_code")));
        Assert.Equal(1, scene.Meters.Read().Single(static reading => reading.Instrument == "mux.order.refused_calls" && reading.Value > 0).Value);
        end.Set();
        await _accounts.Started.ReachAsync(KeyLimit);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_caller_that_awaits_the_answer_of_a_one_way_call_learns_of_a_refusal_and_of_the_end_of_its_handler(TransportKind kind)
    {
        var (scene, sut, end) = await FillAsync(kind);
        using var scope = new MuxCallOptions { Acknowledged = true }.Apply();

        var refused = await Assert.ThrowsAsync<MuxException>(() => sut.Tell(1, KeyLimit).AsTask());
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (refused.Status, refused.Execution));
        Assert.Empty(scene.Logs.Of("OneWayCallFailed"));

        end.Set();
        await _accounts.Started.ReachAsync(KeyLimit);
        await sut.Tell(1, KeyLimit).AsTask().Within("the answer of a one-way call");
        Assert.Equal(Enumerable.Range(0, KeyLimit + 1), _accounts.NumbersOf(1));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_was_acknowledged_leaves_the_next_one_of_its_method_one_way()
    {
        var scene = Begin(TransportKind.InMemory);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IAccounts>(_accounts))).CreateProxy<IAccounts>();
        var end = new Signal("the end of the handlers");
        for (int number = 0; number < 5; number++)
        {
            using (new MuxCallOptions { Acknowledged = true }.Apply()) await sut.Tell(1, number).AsTask().Within("the answer");
        }

        _accounts.OnRun = async (_, _, _) => await end.WaitAsync();
        await sut.Tell(1, 5).AsTask().Within("a call whose handler still runs");
        end.Set();
        await _accounts.Started.ReachAsync(6);
    }

    /// <summary>Has a server run one call of a key, and hold as many as may wait for it.</summary>
    private async Task<(Scene Scene, IAccounts Proxy, Signal End)> FillAsync(TransportKind kind)
    {
        var scene = Begin(kind);
        var end = new Signal("the end of the handlers");
        _accounts.OnRun = async (_, _, _) => await end.WaitAsync();
        var server = scene.StartServer(server => server.AddService<IAccounts>(_accounts), static options => options.MaxCallsPerConnection = 2 * KeyLimit);
        var sut = scene.CreateChannel(server).CreateProxy<IAccounts>();
        for (int number = 0; number < KeyLimit; number++) await sut.Tell(1, number);
        await Eventually.Holds(() => Waiting() == KeyLimit - 1, "all calls of the key to wait");
        return (scene, sut, end);

        long Waiting() => scene.Meters.Read().Where(static reading => reading.Instrument == "mux.order.waiting_calls").Sum(static reading => reading.Value);
    }
}
