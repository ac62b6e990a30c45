using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Channels;

/// <summary>Connections without calls.</summary>
public sealed class IdleTests : EndToEndTests
{
    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(20);

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task An_idle_connection_ends_and_the_next_call_dials_without_a_pause(TransportKind kind)
    {
        const int Rounds = 10;
        var time = new ManualTime();
        var scene = Begin(kind, time);
        scene.ExpectedEnds.Add(CloseReason.Idle);
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(new Desk())), options => options.IdleTimeout = s_idle);
        var sut = channel.CreateProxy<IDesk>();
        for (int round = 1; round <= Rounds; round++)
        {
            Assert.Equal(round, (await sut.AskPlainly(new Question { Id = round }).AsTask().Within($"the reply of round {round}")).Id);
            Assert.Equal(round, scene.Transport.Dialed.Count);
            time.Advance(s_idle + s_tick);
            await scene.Logs.ReachAsync("ClientConnectionClosed", round);
        }
    }
}
