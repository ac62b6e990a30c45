using System.Threading.Channels;
using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;

namespace Mux.Conformance.KeepAlive;

/// <summary>A stream that is quiet for a long time is asked for by pings around its items.</summary>
[Cases(35)]
public sealed class QuietStreamTests : ConformanceTests
{
    private static readonly TimeSpan s_often = TimeSpan.FromMilliseconds(10);

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Pings_are_answered_around_the_items_of_a_stream(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, server: AllowOften, client: AskOften);
        await world.Channel.ConnectAsync();
        var sent = Channel.CreateUnbounded<Payload>();
        await using var replies = world.Calls.Talk(sent.Reader.ReadAllAsync()).GetAsyncEnumerator();
        for (int i = 0; i < 5; i++)
        {
            sent.Writer.TryWrite(new Payload { Number = i });
            Assert.True(await replies.MoveNextAsync());
            Assert.Equal(i, replies.Current.Number);
            long before = world.Channel.GetStatistics().FramesReceived;
            await Eventually.Holds(() => world.Channel.GetStatistics().FramesReceived >= before + 2, "the answers to two pings");
        }

        sent.Writer.Complete();
        Assert.False(await replies.MoveNextAsync());
        Assert.Equal(connections, world.Scene.Transport.Dialed.Count);

        static void AllowOften(MuxServerOptions options) => options.Limits.PingInterval = s_often; // a tenth of the default is 100 ms, and the client would ask no sooner

        static void AskOften(MuxOptions options) => (options.KeepAliveTime, options.KeepAliveTimeout) = (s_often, TimeSpan.FromMilliseconds(500));
    }
}
