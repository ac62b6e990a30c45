using Mux.Connections;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Channels;

/// <summary>A channel that asks more often whether its server lives than the server takes.</summary>
public sealed class KeepAliveBackoffTests : EndToEndTests
{
    private static readonly TimeSpan s_keepAlive = TimeSpan.FromSeconds(1), s_longestPause = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan s_moment = TimeSpan.FromMilliseconds(30); // the resolution of ticks, and more

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_that_is_cut_off_for_its_PINGs_asks_half_as_often_on_the_next_connection()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedEnds.UnionWith([CloseReason.TooManyPings, CloseReason.PeerError]);
        var desk = new GatedDesk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options =>
        {
            options.Limits.PingInterval = TimeSpan.FromHours(1);
            options.Limits.PingStrikes = 1;
        });
        var channel = scene.CreateChannel(server, options =>
        {
            options.KeepAliveTime = options.KeepAliveTimeout = s_keepAlive;
            options.MaxReconnectDelay = s_longestPause;
        });
        var sut = channel.CreateProxy<IDesk>();
        for (int round = 0; round < 4; round++)
        {
            var call = sut.AskPlainly(new Question()).AsTask();
            time.Advance(s_longestPause); // behind the last connection
            await desk.Started.ReachAsync(round + 1);
            var interval = s_keepAlive * (1 << round);
            for (int ping = 1; ping <= 3; ping++)
            {
                long received = channel.GetStatistics().FramesReceived;
                time.Advance(interval - s_moment);
                Assert.Equal((received, false), (channel.GetStatistics().FramesReceived, call.IsCompleted));
                time.Advance(s_moment * 2);
                await Eventually.Holds(() => call.IsCompleted || channel.GetStatistics().FramesReceived > received, $"what comes of PING {ping} of connection {round + 1}");
                Assert.Equal(ping == 3, call.IsCompleted); // the first is none too many, the second is let pass
            }

            await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxPhase.Wait);
            desk.AnswerOldest();
        }
    }
}
