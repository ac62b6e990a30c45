using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Channels;

/// <summary>Channels whose server answers calls and drains connections soon after they were opened.</summary>
public sealed class BriefDrainTests : EndToEndTests
{
    private static readonly TimeSpan s_firstPause = TimeSpan.FromMilliseconds(110); // at most, and until the next tick
    private static readonly TimeSpan s_use = TimeSpan.FromSeconds(1); // after which a connection was not brief

    private readonly ManualTime _time = new();

    [Fact(Timeout = TestLimit)]
    public async Task The_second_brief_connection_in_a_row_is_followed_by_a_pause_although_the_server_answered()
    {
        var (scene, server, channel) = Start();
        var sut = channel.CreateProxy<IDesk>();
        await CallAndDrainAsync(scene, server, sut, drains: 1);
        await CallAndDrainAsync(scene, server, sut, drains: 2); // at once: one may be chance

        var call = sut.AskPlainly(new Question { Id = 7 }).AsTask();
        Assert.True(IsPausing(channel));
        _time.Advance(s_firstPause);
        Assert.Equal(7, (await call.Within("the reply after the pause")).Id);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_connection_that_was_of_use_in_between_makes_the_next_brief_one_a_first_one()
    {
        var (scene, server, channel) = Start();
        var sut = channel.CreateProxy<IDesk>();
        await CallAndDrainAsync(scene, server, sut, drains: 1);
        await CallAndDrainAsync(scene, server, sut, drains: 2, s_use);
        await CallAndDrainAsync(scene, server, sut, drains: 3);

        Assert.Equal(7, (await sut.AskPlainly(new Question { Id = 7 }).AsTask().Within("the reply without a pause")).Id);
    }

    private (Scene Scene, MuxServer Server, MuxChannel Channel) Start()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.PeerDrained, CloseReason.Drained]);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        return (scene, server, scene.CreateChannel(server));
    }

    private async Task CallAndDrainAsync(Scene scene, MuxServer server, IDesk sut, int drains, TimeSpan lasts = default)
    {
        Assert.Equal(drains, (await sut.AskPlainly(new Question { Id = drains }).AsTask().Within($"the reply on connection {drains}")).Id);
        _time.Advance(lasts);
        foreach (var connection in server.Ledger!.Connections) connection.BeginDrain(grace: Clock.Never);
        await scene.Logs.ReachAsync("ClientDraining", drains);
    }

    private static bool IsPausing(MuxChannel channel) => Array.Exists(channel.Ledger.Connections, connection => connection is { State: ConnectionState.Connecting, NextDue: Clock.Never });
}
