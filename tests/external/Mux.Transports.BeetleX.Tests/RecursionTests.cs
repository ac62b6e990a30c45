using Mux.TestSupport.Transports;

namespace Mux.Transports.BeetleX.Tests;

/// <summary>BeetleX calls itself when an operation completes at once.</summary>
[Collection(nameof(TransportTests))]
public sealed class RecursionTests
{
    // What StackDepth allows, and 50 calls of BeetleX by itself.
    private const long Allowed = 256 * 1024;

    [ThreadStatic]
    private static nint t_top;

    [Fact]
    public async Task Forwarding_what_never_stops_coming_does_not_use_up_the_stack()
    {
        const long Total = 300_000_000;
        var address = MuxAddress.Parse("mux://127.0.0.1:0");
        var transport = new BeetleXTransport();
        await using var onward = await LinkPair.ConnectAsync(transport, address);
        var source = new LinkProbe("source");
        var sender = new PatternSender(source, TestSeed.Next(), Total, 200_000);
        source.WhenConnected = source.WhenWritable = sender.Go;
        long deepest = 0;
        var relay = new LinkProbe("relay");
        relay.WhenReceived = bytes =>
        {
            deepest = Math.Max(deepest, Depth());
            Thread.SpinWait(2_000); // so that more has come when BeetleX looks
            onward.Dialer.Send(bytes[..1]);
            return bytes.Length;
        };
        await using var pair = await LinkPair.ConnectAsync(transport, address, source, relay);
        await relay.Consumed.ReachAsync(Total);
        Assert.InRange(deepest, 0, Allowed);
    }

    private static unsafe long Depth()
    {
        byte mark;
        nint here = (nint)(&mark);
        if (here > t_top) t_top = here;
        return t_top - here;
    }
}
