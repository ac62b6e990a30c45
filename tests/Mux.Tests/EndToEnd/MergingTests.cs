using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.EndToEnd;

/// <summary>Frames are merged into one send where there are several, and never wait for others.</summary>
public sealed class MergingTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task With_one_call_in_flight_every_frame_is_a_send_of_its_own(TransportKind kind)
    {
        const int Calls = 1_000;
        var scene = Begin(kind);
        var (atClient, atServer) = (new WatchedTransport(scene.Transport), new WatchedTransport(scene.Transport));
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => Prepare(options, atServer));
        var sut = scene.CreateChannel(server, options => Prepare(options, atClient)).CreateProxy<IDesk>();
        await sut.AskPlainly(new Question()); // handshake, and the definition of the method
        var before = (atClient.Sends, atClient.SingleFrames, atServer.Sends, atServer.SingleFrames);
        for (int id = 1; id <= Calls; id++)
        {
            Assert.Equal(id, (await sut.AskPlainly(new Question { Id = id })).Id);
            Assert.Equal((before.Item1 + id, before.Item2 + id, before.Item3 + id, before.Item4 + id), (atClient.Sends, atClient.SingleFrames, atServer.Sends, atServer.SingleFrames));
        }
    }

    private static void Prepare(MuxOptions options, WatchedTransport transport)
    {
        options.Transport = transport;
        options.KeepAliveTime = Timeout.InfiniteTimeSpan; // pings would be counted
    }
}
