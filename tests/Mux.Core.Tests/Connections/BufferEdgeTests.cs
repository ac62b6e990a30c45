using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Frames of every size around the edges of the engine's blocks, taken by the link in any pieces, arrive byte by byte as they were.</summary>
public sealed class BufferEdgeTests
{
    private static readonly MethodDescriptor s_own = new("test", "Own", MethodShape.Unary, takesToken: false);

    private static readonly PeerSettings s_trusting = new() { BulkCredit = 100_000_000 };

    [Fact]
    public void Requests_leave_as_they_were_written() => Seeds.ForEach(40, seed =>
    {
        var random = new Random(seed);
        var work = new ManualWork();
        var peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { Work = work, UnsentLimit = 10_000_000 }, s_trusting);
        peer.StopReading();
        var sizes = Sizes(random, ProtocolConstants.MaxFramePayload - RequestHead.MinLength);
        foreach (int size in sizes)
        {
            peer.Call(s_own, Pattern(size));
            if (random.Next(2) == 0) Take(peer, random);
        }

        peer.Link.Grow(long.MaxValue);
        work.RunAll();

        AssertPatterns(sizes, peer.ReadMessages().Where(frame => frame.Kind == FrameKind.Request).OrderBy(frame => frame.Id.Slot).Select(frame => frame.Payload[RequestHead.MinLength..]));
    });

    [Fact]
    public void Replies_leave_as_they_were_written() => Seeds.ForEach(40, seed =>
    {
        var random = new Random(seed);
        var work = new ManualWork();
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = work, UnsentLimit = 10_000_000 }, s_trusting);
        var sizes = Sizes(random, ProtocolConstants.MaxFramePayload);
        int next = 0;
        peer.Methods.Add("test/Sized").Handler = _ => Pattern(sizes[next++]);
        peer.Define(0, "test/Sized");
        peer.StopReading();
        byte[] requests = [.. Enumerable.Range(1, sizes.Count).SelectMany(slot => ScriptedPeer.Frame(FrameKind.Request, new CallId(slot, 1), [0, 0, 0, 0]))];
        for (int at = 0; at < requests.Length;)
        {
            int count = Math.Min(random.Next(1, 40), requests.Length - at);
            peer.Send(requests.AsSpan(at, count));
            at += count;
            if (random.Next(2) == 0) Take(peer, random);
        }

        peer.Link.Grow(long.MaxValue);
        work.RunAll();

        AssertPatterns(sizes, peer.ReadMessages().OrderBy(frame => frame.Id.Slot).Select(frame => frame.Payload));
    });

    /// <summary>Small ones, the largest, and those that leave a few bytes of a block or none.</summary>
    private static List<int> Sizes(Random random, int largest)
    {
        var sizes = new List<int>();
        for (int i = 0; i < 30; i++)
        {
            int around = random.Next(5) switch { 0 => 0, 1 => 1_024, 2 => 4_096, 3 => OutboundBlock.Size / 2, _ => largest };
            sizes.Add(Math.Clamp(around + random.Next(-20, 20), 0, largest));
        }

        return sizes;
    }

    private static byte[] Pattern(int size)
    {
        var bytes = new byte[size];
        for (int i = 0; i < size; i++) bytes[i] = (byte)(i * 31 + size);
        return bytes;
    }

    private static void AssertPatterns(List<int> sizes, IEnumerable<byte[]> bodies)
    {
        var received = bodies.ToList();
        Assert.Equal(sizes, received.Select(body => body.Length));
        Assert.All(received, body => Assert.True(body.AsSpan().SequenceEqual(Pattern(body.Length)), $"A body of {body.Length} bytes was changed on its way."));
    }

    private static void Take(ScriptedPeer peer, Random random) => peer.Link.Grow(peer.Link.Capacity + (random.Next(2) == 0 ? 1 : random.Next(100_000)));
}
