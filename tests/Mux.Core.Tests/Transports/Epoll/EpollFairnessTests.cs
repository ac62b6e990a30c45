using System.Diagnostics;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.TestSupport.Transports;
using Mux.Transports.Epoll;

namespace Mux.Core.Tests.Transports.Epoll;

/// <summary>Who sends without pause does not keep a loop from others.</summary>
[Collection(nameof(TransportTests))]
public sealed class EpollFairnessTests : IAsyncDisposable
{
    private const int WholeReceive = 64 * 1024;
    private const int Waiting = 3 * WholeReceive;
    private static readonly MuxAddress s_anyPort = MuxAddress.Parse("mux://127.0.0.1:0");

    private readonly EpollTransport _transport;
    private readonly ManualResetEventSlim _gate = new();
    private readonly List<(int Link, int Bytes)> _pieces = []; // what was delivered, in order; the loop's while bytes are on their way
    private double _bytesPerMicrosecond = 64; // what the receivers make of them: 1 ms for a whole receive

    public EpollFairnessTests()
    {
        Assert.SkipUnless(EpollTransport.IsSupported, "Linux only.");
        var options = new EpollTransportOptions { LoopCount = 1, SendBufferSize = Waiting, ReceiveBufferSize = Waiting };
        _transport = new EpollTransport(options, NullLogger.Instance, TimeProvider.System);
    }

    public ValueTask DisposeAsync()
    {
        _transport.Dispose();
        _gate.Dispose();
        return ValueTask.CompletedTask;
    }

    [Fact]
    public async Task Links_whose_bytes_are_much_work_take_turns_in_small_pieces()
    {
        await using var first = await DialAsync(0);
        await using var second = await DialAsync(1);
        await DrainAsync(first, second);
        var later = _pieces.Skip(12).ToList(); // each link's first six: half as much each time
        int together = later.FindLastIndex(piece => piece.Link != later[^1].Link); // from there on one of them is alone
        Assert.InRange(together, 10, int.MaxValue);
        Assert.All(later.Take(together), piece => Assert.InRange(piece.Bytes, 1, WholeReceive / 4));
    }

    [Fact]
    public async Task Links_whose_bytes_are_little_work_take_whole_receives()
    {
        _bytesPerMicrosecond = double.PositiveInfinity;
        await using var first = await DialAsync(0);
        await using var second = await DialAsync(1);
        await DrainAsync(first, second);
        Assert.InRange(_pieces.Max(piece => piece.Bytes), WholeReceive / 2, WholeReceive); // 16 KiB at first, and a quarter more each time where the loop's thread does not lose its processor
    }

    [Fact]
    public async Task Single_bytes_win_back_no_share()
    {
        await using var first = await DialAsync(0);
        await using (var second = await DialAsync(1)) await DrainAsync(first, second);
        _bytesPerMicrosecond = double.PositiveInfinity;
        long consumed = first.Acceptor.Consumed.Count;
        for (int i = 0; i < 60; i++)
        {
            Assert.Equal(1, first.Dialer.Send("x"u8));
            await first.Acceptor.Consumed.ReachAsync(++consumed);
        }

        _pieces.Clear();
        await using (await StopAsync())
        {
            int sent = Fill(first);
            _gate.Set();
            await first.Acceptor.Consumed.ReachAsync(consumed + sent);
        }

        Assert.InRange(_pieces[0].Bytes, 1, WholeReceive / 4);
    }

    [Fact]
    public async Task A_link_that_is_alone_takes_whole_receives_again()
    {
        await using var first = await DialAsync(0);
        await using (var second = await DialAsync(1)) await DrainAsync(first, second);
        _bytesPerMicrosecond = double.PositiveInfinity;
        long consumed = first.Acceptor.Consumed.Count;
        for (int i = 0; i < 4; i++) // the share grows by a quarter of what comes
        {
            await using var stopper = await StopAsync();
            int sent = Fill(first);
            _gate.Set();
            await first.Acceptor.Consumed.ReachAsync(consumed += sent);
        }

        Assert.Contains((0, WholeReceive), _pieces);
    }

    /// <summary>Has the loop come to both when the bytes of both wait.</summary>
    private async Task DrainAsync(LinkPair first, LinkPair second)
    {
        int ofFirst = Fill(first);
        int ofSecond = Fill(second);
        await using var stopper = await StopAsync();
        first.StartAcceptor();
        second.StartAcceptor();
        _gate.Set();
        await first.Acceptor.Consumed.ReachAsync(ofFirst);
        await second.Acceptor.Consumed.ReachAsync(ofSecond);
    }

    /// <summary>Holds the loop until the gate opens.</summary>
    private async Task<LinkPair> StopAsync()
    {
        _gate.Reset();
        var entered = new Signal("the loop stands");
        var stopper = await LinkPair.ConnectAsync(_transport, s_anyPort, acceptor: new LinkProbe("stopper") { WhenReceived = Stop });
        stopper.Dialer.Send("x"u8);
        await entered.WaitAsync();
        return stopper;

        int Stop(ReadOnlySpan<byte> bytes)
        {
            entered.Set();
            _gate.Wait();
            return bytes.Length;
        }
    }

    private Task<LinkPair> DialAsync(int number) => LinkPair.DialAsync(_transport, s_anyPort, acceptor: new LinkProbe($"acceptor {number}")
    {
        WhenReceived = bytes =>
        {
            _pieces.Add((number, bytes.Length));
            long start = Stopwatch.GetTimestamp();
            while (Stopwatch.GetElapsedTime(start).TotalMicroseconds < bytes.Length / _bytesPerMicrosecond)
            {
            }

            return bytes.Length;
        },
    });

    private static int Fill(LinkPair pair)
    {
        int sent = pair.Dialer.Send(new byte[2 * Waiting]);
        Assert.InRange(sent, Waiting, 2 * Waiting);
        return sent;
    }
}
