using System.Runtime.CompilerServices;
using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Deadlines;

/// <summary>What is left of a deadline goes with the call, and with the calls that its handler makes.</summary>
[Cases(24)]
public sealed class PropagationTests : ConformanceTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_spent = TimeSpan.FromSeconds(3);

    private readonly ManualTime _time = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_handler_sees_what_is_left(TransportKind kind, int connections)
    {
        TimeSpan? seen = null;
        var world = await OpenAsync(kind, connections, _time, (requests, options, _) => Noted(requests, () => seen = options.Timeout));
        foreach (var call in StageCalls.Kinds)
        {
            (await world.Calls.CallAsync(call, new MuxCallOptions { Timeout = s_deadline })).Succeeded();
            Assert.InRange(seen!.Value, s_deadline - Tick, s_deadline);
            (await world.Calls.CallAsync(call)).Succeeded();
            Assert.Null(seen);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_server_may_allow_less(TransportKind kind, int connections)
    {
        var most = TimeSpan.FromSeconds(2);
        TimeSpan? seen = null;
        var world = await OpenAsync(kind, connections, _time, (requests, options, _) => Noted(requests, () => seen = options.Timeout), options => options.MaxCallTimeout = most);
        foreach (var call in StageCalls.Kinds)
        {
            foreach (var options in new[] { null, new MuxCallOptions { Timeout = s_deadline } })
            {
                (await world.Calls.CallAsync(call, options)).Succeeded();
                Assert.InRange(seen!.Value, most - Tick, most);
            }
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_nested_call_has_less_and_one_with_a_shorter_deadline_keeps_it(TransportKind kind, int connections)
    {
        var world = await OpenAsync(kind, connections, _time);
        foreach (var (own, expected) in new[]
        {
            (null, s_deadline - s_spent),
            (new MuxCallOptions { Timeout = TimeSpan.FromMinutes(1) }, s_deadline - s_spent),
            (new MuxCallOptions { Timeout = TimeSpan.FromSeconds(1) }, TimeSpan.FromSeconds(1)),
        })
        {
            foreach (var call in StageCalls.Kinds) Assert.InRange((await NestAsync(world, call, own))!.Value, expected - Tick, expected);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_nested_call_may_opt_out(TransportKind kind, int connections)
    {
        var world = await OpenAsync(kind, connections, _time);
        foreach (var call in StageCalls.Kinds)
        {
            Assert.Null(await NestAsync(world, call, new MuxCallOptions { InheritsDeadline = false }));
            var own = TimeSpan.FromMinutes(1);
            Assert.InRange((await NestAsync(world, call, new MuxCallOptions { InheritsDeadline = false, Timeout = own }))!.Value, own - Tick, own);
        }
    }

    /// <summary>What the inner handler sees of a deadline of which the outer one has spent a part.</summary>
    private async Task<TimeSpan?> NestAsync(World inner, CallKind call, MuxCallOptions? own)
    {
        TimeSpan? seen = null;
        var goOn = new Signal("the going on of the outer handler");
        inner.Stage.Script = (requests, options, _) => Noted(requests, () => seen = options.Timeout);
        var outer = new Stage(Nest);
        var calls = inner.Scene.CreateChannel(StartServer(inner.Scene, outer)).CreateProxy<IStage>();
        var outcome = calls.CallAsync(call, new MuxCallOptions { Timeout = s_deadline });
        await outer.Started.ReachAsync(1);
        _time.Advance(s_spent);
        goOn.Set();
        (await outcome).Succeeded();
        return seen;

        async IAsyncEnumerable<Payload> Nest(IAsyncEnumerable<Payload> requests, MuxCallOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            await goOn.WaitAsync();
            await foreach (var reply in inner.Calls.Stream(call, requests, own, cancellationToken)) yield return reply;
        }
    }

    private static async IAsyncEnumerable<Payload> Noted(IAsyncEnumerable<Payload> requests, Action note)
    {
        note();
        await foreach (var request in requests) yield return request;
    }
}
