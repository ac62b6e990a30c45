using Microsoft.Extensions.Logging.Abstractions;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Epoll;

namespace Mux.Core.Tests.Transports.Epoll;

/// <summary>Whose the loops are, how many there are, and when they end.</summary>
[Collection(nameof(TransportTests))]
public sealed class EpollTransportTests
{
    private static readonly MuxAddress s_anyPort = MuxAddress.Parse("mux://127.0.0.1:0");

    public EpollTransportTests() => Assert.SkipUnless(EpollTransport.IsSupported, "Linux only.");

    [Fact]
    public async Task The_loops_of_a_transport_end_after_its_disposal_when_its_last_link_is_gone()
    {
        var sut = Make(new EpollTransportOptions { LoopCount = 3 });
        var loops = sut.Loops.Loops;
        Assert.Equal(3, loops.Count);
        await using (var pair = await LinkPair.ConnectAsync(sut, s_anyPort))
        {
            sut.Dispose();
            sut.Dispose();
            pair.Dialer.Send("still here"u8);
            await pair.Acceptor.Consumed.ReachAsync(10);
            Assert.All(loops, loop => Assert.False(loop.HasEnded));
        }

        await Eventually.Holds(() => loops.All(loop => loop.HasEnded), "the end of the loops");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_disposed_transport_makes_nothing_and_connects_nothing(bool hasOwnLoops)
    {
        var sut = Make(hasOwnLoops ? new EpollTransportOptions { LoopCount = 1 } : new EpollTransportOptions());
        var probe = new LinkProbe("dialer");
        var link = sut.CreateLink(MuxAddress.Parse("mux://127.0.0.1:1"));
        sut.Dispose();
        Assert.Throws<ObjectDisposedException>(() => sut.CreateLink(s_anyPort));
        Assert.Throws<ObjectDisposedException>(() => sut.Listen(s_anyPort, accepted => accepted.Close()));
        probe.Start(link);
        await probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.ConnectFailed, probe.Cause);
        Assert.IsType<ObjectDisposedException>(probe.Error);
        probe.AssertSound();
    }

    [Fact]
    public async Task Links_are_spread_over_the_loops()
    {
        using var sut = Make(new EpollTransportOptions { LoopCount = 4 });
        var pairs = new List<LinkPair>();
        for (int i = 0; i < 8; i++) pairs.Add(await LinkPair.ConnectAsync(sut, s_anyPort));
        foreach (var pair in pairs)
        {
            pair.Dialer.Send("x"u8);
            pair.Acceptor.Send("x"u8);
            await pair.Acceptor.Batches.ReachAsync(1);
            await pair.Dialer.Batches.ReachAsync(1);
        }

        Assert.All(sut.Loops.Loops, loop => Assert.InRange(loop.Counters.Deliveries, 1, long.MaxValue));
        Assert.Equal(16, sut.Loops.Loops.Sum(loop => loop.Counters.Deliveries));
        Assert.All(sut.Loops.Loops, loop => Assert.InRange(loop.Counters.Wakes, 1, long.MaxValue));
        foreach (var pair in pairs) await pair.DisposeAsync();
    }

    [Fact]
    public async Task Transports_whose_loops_were_not_chosen_share_those_of_the_process_which_outlive_them()
    {
        var first = Make(new EpollTransportOptions { SendBufferSize = 100_000 });
        var second = new EpollTransport();
        using var other = Make(new EpollTransportOptions { LoopCount = new EpollTransportOptions().LoopCount });
        Assert.Same(first.Loops, second.Loops);
        Assert.NotSame(first.Loops, other.Loops);
        first.Dispose();
        await using var pair = await LinkPair.ConnectAsync(second, s_anyPort);
        pair.Dialer.Send("x"u8);
        await pair.Acceptor.Consumed.ReachAsync(1);
    }

    [Theory]
    [InlineData(0, 20, "EpollTransportOptions.LoopCount is 0: expected 1 to 1024.")]
    [InlineData(1_025, 20, "EpollTransportOptions.LoopCount is 1025: expected 1 to 1024.")]
    [InlineData(1, -1, "EpollTransportOptions.PollTime is -1 us: expected 0 to 20 us.")]
    [InlineData(1, 21, "EpollTransportOptions.PollTime is 21 us: expected 0 to 20 us.")]
    public void An_option_out_of_range_is_refused_by_name(int loopCount, int pollMicroseconds, string message)
    {
        var options = new EpollTransportOptions { LoopCount = loopCount, PollTime = TimeSpan.FromMicroseconds(pollMicroseconds) };
        Assert.Equal(message, Assert.Throws<ArgumentException>(() => Make(options)).Message);
    }

    [Fact]
    public void What_all_sockets_have_is_refused_in_the_name_of_these_options()
    {
        var error = Assert.Throws<ArgumentException>(() => Make(new EpollTransportOptions { SendBufferSize = 0 }));
        Assert.Equal("EpollTransportOptions.SendBufferSize is 0: expected 1 or more bytes.", error.Message);
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(20, true)]
    public async Task A_link_that_answers_at_once_is_polled_for_if_that_is_wanted(int pollMicroseconds, bool polls)
    {
        Assert.SkipWhen(Environment.ProcessorCount == 1, "Polling needs a second processor.");
        using var sut = Make(new EpollTransportOptions { LoopCount = 1, PollTime = TimeSpan.FromMicroseconds(pollMicroseconds) });
        using var listener = sut.Listen(s_anyPort, link => link.Start(new EchoHandler(link)));
        var link = sut.CreateLink(listener.Address);
        var pings = new PingHandler(link);
        link.Start(pings);
        await pings.RunAsync(1_000);
        link.Close();
        Assert.Equal(polls, sut.Loops.Loops[0].Polling.Polls > 0);
    }

    private static EpollTransport Make(EpollTransportOptions options) => new(options, NullLogger.Instance, TimeProvider.System);
}
