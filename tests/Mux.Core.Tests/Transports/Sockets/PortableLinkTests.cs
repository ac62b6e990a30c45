using System.Diagnostics;
using Mux.TestSupport.Transports;
using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Transports.Sockets;

/// <summary>Who waits for whom where every link has a receive loop of its own.</summary>
[Collection(nameof(TransportTests))]
public sealed class PortableLinkTests() : SocketLinkTests(new SocketTransport())
{
    private static readonly AsyncLocal<object?> s_workItem = new();

    [Fact]
    public async Task A_handler_that_blocks_delays_its_own_link_only()
    {
        var release = new Signal("the other link's echo");
        var blocked = new Signal("the handler blocks");
        var blocker = new LinkProbe("blocker")
        {
            WhenReceived = bytes =>
            {
                blocked.Set();
                release.Wait();
                return bytes.Length;
            },
        };
        await using var first = await RawPeer.ConnectAsync(Sut, blocker);
        await using var second = await RawPeer.ConnectAsync(Sut);
        first.Socket.Send("x"u8);
        await blocked.WaitAsync();
        second.Socket.Send("x"u8);
        await second.Probe.Consumed.ReachAsync(1);
        release.Set();
        await blocker.Consumed.ReachAsync(1);
    }

    [Theory]
    [InlineData(0, 2, 8)]
    [InlineData(3, 1, 1)] // longer than any link may keep its thread
    public async Task A_link_that_never_runs_dry_gives_its_thread_back_again_and_again(int millisecondsPerTurn, int fewest, int most)
    {
        // A value set here stays for the rest of the pool's work item, and for no longer.
        var deliveries = new Dictionary<object, int>();
        var acceptor = new LinkProbe("acceptor")
        {
            WhenReceived = bytes =>
            {
                var workItem = s_workItem.Value ??= new object();
                deliveries[workItem] = deliveries.GetValueOrDefault(workItem) + 1;
                var work = TimeSpan.FromMilliseconds(millisecondsPerTurn);
                for (long start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < work;) Thread.SpinWait(100);
                return bytes.Length;
            },
        };
        var dialer = new LinkProbe("dialer");
        await using var pair = await LinkPair.DialAsync(Sut, MuxAddress.Parse("mux://127.0.0.1:0"), dialer, acceptor);
        long accepted = 0;
        for (int last = 100_000; last == 100_000; accepted += last) last = dialer.Send(new byte[100_000]);
        pair.StartAcceptor();
        await acceptor.Consumed.ReachAsync(accepted);
        Assert.InRange(deliveries.Values.Max(), fewest, most);
    }
}
