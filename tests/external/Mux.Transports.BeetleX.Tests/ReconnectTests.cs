using Mux.TestSupport.Transports;

namespace Mux.Transports.BeetleX.Tests;

/// <summary>A client of BeetleX connects again by itself when something is sent after its end.</summary>
[Collection(nameof(TransportTests))]
public sealed class ReconnectTests
{
    [Fact]
    public async Task A_link_whose_peer_goes_away_while_it_sends_never_dials_again()
    {
        const int Rounds = 200;
        var transport = new BeetleXTransport();
        var accepted = new Counter("accepted links");
        using var listener = transport.Listen(MuxAddress.Parse("mux://127.0.0.1:0"), link =>
        {
            var acceptor = new LinkProbe("acceptor");
            acceptor.WhenBatchEnds = acceptor.Close;
            acceptor.Start(link);
            accepted.Add();
        });
        for (int i = 0; i < Rounds; i++)
        {
            var dialer = new LinkProbe("dialer");
            var sender = new PatternSender(dialer, i, 2_000_000, 1_000);
            dialer.WhenConnected = dialer.WhenWritable = sender.Go;
            dialer.Start(transport.CreateLink(listener.Address));
            await dialer.Closed.WaitAsync();
            dialer.AssertSound();
        }

        // One that was dialed by itself would stand before this one in the queue of the listener.
        var probe = new LinkProbe("the last dialer");
        probe.Start(transport.CreateLink(listener.Address));
        await accepted.ReachAsync(Rounds + 1);
        probe.Close();
        await probe.Closed.WaitAsync();
        Assert.Equal(Rounds + 1, accepted.Count);
    }
}
