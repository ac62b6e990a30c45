using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Deadlines;

/// <summary>A call ends at its deadline and not before, whatever kind it is.</summary>
[Cases(22, 23, 26)]
public sealed class DeadlineTests : ConformanceTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_moment = TimeSpan.FromMilliseconds(1);

    private readonly ManualTime _time = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_server_that_sleeps_makes_a_deadline_and_no_cancellation(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.Hold(0));
        await world.Channel.ConnectAsync();
        foreach (var call in StageCalls.Kinds)
        {
            using var cancellation = new CancellationTokenSource();
            var outcome = await world.Calls.CallAsync(call, new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(1) }, cancellation.Token);
            outcome.Failed(MuxStatus.DeadlineExceeded);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Every_kind_of_call_ends_at_its_deadline_at_both_sides(TransportKind kind, int connections)
    {
        var world = await OpenAsync(kind, connections, _time, Scripts.ReadAndHold(2));
        int calls = 0;
        foreach (var call in StageCalls.Kinds)
        {
            var outcome = world.Calls.CallAsync(call, Payloads.Numbered(1), new MuxCallOptions { Timeout = s_deadline });
            await world.Stage.Read.ReachAsync(++calls);
            _time.Advance(s_deadline - s_moment);
            await world.AssertAliveAsync();
            Assert.False(outcome.IsCompleted);
            _time.Advance(Tick);
            var ended = await outcome;
            Assert.Equal(MuxExecution.MayHaveExecuted, ended.Failed(MuxStatus.DeadlineExceeded).Execution);
            Assert.Equal(Enumerable.Range(0, ended.Numbers.Count()), ended.Numbers); // what was read until then
            Assert.InRange(ended.Numbers.Count(), 0, call.StreamsReplies() ? 2 : 0);
            await world.Stage.Cancelled.ReachAsync(calls);
            await world.Stage.Ended.ReachAsync(calls);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_slow_reader_is_told_of_the_deadline_and_not_given_first_what_waited(TransportKind kind, int connections)
    {
        const int Waiting = 100;
        var world = await OpenAsync(kind, connections, _time, Scripts.ReadAndHold(Waiting + 1));
        int calls = 0;
        foreach (var call in StageCalls.Kinds.Where(call => call.StreamsReplies()))
        {
            await using var replies = world.Calls.Stream(call, Payloads.Numbered(1), new MuxCallOptions { Timeout = s_deadline }).GetAsyncEnumerator();
            Assert.True(await replies.MoveNextAsync());
            await world.Stage.Read.ReachAsync(++calls);
            _time.Advance(s_deadline + Tick);
            await Eventually.Holds(() => world.Channel.GetStatistics().CallsActive == 0, "the end of the call");

            int given = 0;
            var error = await Assert.ThrowsAsync<MuxException>(async () =>
            {
                while (await replies.MoveNextAsync()) given++;
            });

            Assert.Equal(MuxStatus.DeadlineExceeded, error.Status);
            Assert.InRange(given, 0, Waiting / 2); // none, but for those that it takes while the call ends
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Ten_thousand_calls_that_end_just_below_their_deadline_all_go_well(TransportKind kind, int connections)
    {
        const int Rounds = 10;
        const int Calls = 1_000;
        var world = await OpenAsync(kind, connections, _time);
        for (int round = 1; round <= Rounds; round++)
        {
            var goOn = new Signal("the end of the handlers");
            world.Stage.Script = (requests, _, _) => Held(requests, goOn);
            var calls = Enumerable.Range(0, Calls).Select(id => world.Calls.Ask(new Payload { Number = id }, new MuxCallOptions { Timeout = s_deadline }).AsTask()).ToList();
            await world.Stage.Started.ReachAsync(round * Calls);
            _time.Advance(s_deadline - s_moment);
            goOn.Set();
            var replies = await Task.WhenAll(calls).Within("the replies to all calls");
            Assert.Equal(Enumerable.Range(0, Calls), replies.Select(reply => reply.Number));
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Ten_thousand_calls_at_a_time_all_end_at_their_deadline(TransportKind kind, int connections)
    {
        const int Calls = 10_000;
        var world = await OpenAsync(kind, connections, _time, Scripts.Hold(0), options => options.Profile = MuxProfile.Internal); // which takes so many
        var calls = Enumerable.Range(0, Calls).Select(id => world.Calls.Ask(new Payload { Number = id }, new MuxCallOptions { Timeout = s_deadline }).AsTask()).ToList();
        await world.Stage.Started.ReachAsync(Calls);
        _time.Advance(s_deadline - s_moment);
        Assert.DoesNotContain(calls, call => call.IsCompleted);
        _time.Advance(Tick);
        await Assert.ThrowsAsync<MuxException>(() => Task.WhenAll(calls).Within("the deadlines of all calls")); // together: to throw each of their exceptions takes longer than the calls
        foreach (var call in calls) Assert.Equal(MuxStatus.DeadlineExceeded, Assert.IsType<MuxException>(call.Exception?.InnerException).Status);
        await world.Stage.Ended.ReachAsync(Calls);
        await world.AssertAliveAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_deadline_ends_a_handler_that_ignores_it_for_its_caller_alone(TransportKind kind, int connections)
    {
        var goOn = new Signal("the end of the handlers");
        var world = await OpenAsync(kind, connections, _time, Scripts.Hold(1, goOn));
        var calls = StageCalls.Kinds.Select(call => world.Calls.CallAsync(call, new MuxCallOptions { Timeout = s_deadline })).ToList();
        await world.Stage.Started.ReachAsync(calls.Count);
        _time.Advance(s_deadline + Tick);
        foreach (var call in calls) (await call).Failed(MuxStatus.DeadlineExceeded);
        await world.AssertAliveAsync();
        Assert.Equal(0, world.Stage.Ended.Count);
        goOn.Set();
        await world.Stage.Ended.ReachAsync(calls.Count);
    }

    private static async IAsyncEnumerable<Payload> Held(IAsyncEnumerable<Payload> requests, Signal goOn)
    {
        await goOn.WaitAsync();
        await foreach (var request in requests) yield return request;
    }
}
