using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Failures;

/// <summary>Both sides were built against different contracts.</summary>
[Cases(16, 17, 58)]
public sealed class VersionSkewTests : ConformanceTests
{
    private static readonly NewerPayload s_newer = new() { Number = 4, Note = "added later", Weights = { 1, 2 } };

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task An_unknown_method_fails_the_call_alone(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        var sut = world.Channel.CreateProxy<INewerStage>();
        await AssertUnimplementedAsync(sut.AskMore(s_newer).AsTask());
        await AssertUnimplementedAsync(sut.CollectMore(Newer(3)).AsTask());
        await AssertUnimplementedAsync(sut.ListMore(s_newer).ToListAsync().AsTask());
        await AssertUnimplementedAsync(sut.TalkMore(Newer(3)).ToListAsync().AsTask());
        await sut.TellMore(s_newer); // its caller is not told
        await world.AssertAliveAsync();
        Assert.Equal(0, world.Stage.Started.Count);
        Assert.Equal(connections, await DialsAsync(world));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task An_unknown_service_fails_the_call_alone(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        var sut = world.Channel.CreateProxy<INowhere>();
        await AssertUnimplementedAsync(sut.Ask(new Payload()).AsTask());
        await AssertUnimplementedAsync(sut.Collect(Payloads.Numbered(3)).AsTask());
        await AssertUnimplementedAsync(sut.List(new Payload()).ToListAsync().AsTask());
        await AssertUnimplementedAsync(sut.Talk(Payloads.Numbered(3)).ToListAsync().AsTask());
        await world.AssertAliveAsync();
        Assert.Equal(connections, await DialsAsync(world));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_method_of_another_shape_fails_the_call_alone(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        var sut = world.Channel.CreateProxy<INewerStage>();
        await AssertUnimplementedAsync(sut.List(s_newer).AsTask());
        await AssertUnimplementedAsync(sut.Collect(Newer(3)).ToListAsync().AsTask());
        await world.AssertAliveAsync();
        Assert.Equal(0, world.Stage.Started.Count);
        Assert.Equal(connections, await DialsAsync(world));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Endless_requests_for_an_unknown_method_end_with_the_call(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        var over = new Signal("the disposal of the producer");
        var call = world.Channel.CreateProxy<INewerStage>().TalkMore(Endless(over)).ToListAsync().AsTask();
        await AssertUnimplementedAsync(call);
        await over.WaitAsync();
        await world.AssertAliveAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Fields_that_the_other_side_does_not_know_are_passed_over(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        var sut = world.Channel.CreateProxy<INewerStage>();
        var reply = await sut.Ask(s_newer);
        Assert.Equal((4, null, 0), (reply.Number, reply.Note, reply.Weights.Count));
        Assert.All(await sut.Talk(Newer(10)).ToListAsync(), item => Assert.Null(item.Note));
    }

    private static async Task AssertUnimplementedAsync(Task call)
    {
        var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the end of a call that the server does not know"));
        Assert.Equal((MuxStatus.Unimplemented, MuxExecution.NotExecuted, MuxCallPhase.Dispatch), (error.Status, error.Execution, error.Phase));
    }

    private static IAsyncEnumerable<NewerPayload> Newer(int count) => Enumerable.Repeat(s_newer, count).ToAsyncEnumerable();

    private static async IAsyncEnumerable<NewerPayload> Endless(Signal over)
    {
        try
        {
            while (true)
            {
                await Task.Yield();
                yield return s_newer;
            }
        }
        finally
        {
            over.Set();
        }
    }

    /// <summary>Dials, once all connections are there.</summary>
    private static async Task<long> DialsAsync(World world)
    {
        await world.Channel.ConnectAsync();
        return world.Scene.Transport.Dialed.Count;
    }
}
