using Mux.Core.Tests.Transports.Sockets;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Transports.Epoll;

namespace Mux.Core.Tests.Transports.Epoll;

[Collection(nameof(TransportTests))]
public sealed class EpollListenerTests() : SocketListenerTests(log => SharedLoops.With(log))
{
    [Fact]
    public async Task A_listener_that_pauses_is_not_watched_and_goes_on_when_its_timer_says_so()
    {
        var log = new LogCollector();
        var time = new ManualTime();
        using var transport = new EpollTransport(new EpollTransportOptions { LoopCount = 1 }, log, time);
        var accepted = new Counter("accepted links");
        using var listener = transport.Listen(MuxAddress.Parse("mux://127.0.0.1:0"), link =>
        {
            accepted.Add();
            link.Close();
        });
        using var first = CreateSocket();
        await ConnectAsync(first, listener.Address);
        await accepted.ReachAsync(1);
        using var second = CreateSocket();
        using (HandleLimit.AllowNone())
        {
            await ConnectAsync(second, listener.Address);
            await log.Written.ReachAsync(1);
        }

        // There are handles again and a connection waits, but the kernel was told to be silent. The other listener's accept shows that the loop has been around.
        using var other = transport.Listen(MuxAddress.Parse("mux://127.0.0.1:0"), link =>
        {
            accepted.Add(10);
            link.Close();
        });
        using var third = CreateSocket();
        await ConnectAsync(third, other.Address);
        await accepted.ReachAsync(11);
        Assert.Equal(11, accepted.Count);
        time.Advance(TimeSpan.FromMilliseconds(50));
        await accepted.ReachAsync(12);
        Assert.Single(log.Entries);
    }
}
