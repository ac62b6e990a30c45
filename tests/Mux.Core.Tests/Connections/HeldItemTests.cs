using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Serialization;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>What a peer makes this side hold of items that nobody has taken yet is bounded by the windows and the reassembly budget, and given back however the stream ends.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class HeldItemTests
{
    private const int Window = 65_536;
    private static readonly CallId s_id = new(1, 1);

    private readonly long _buffersBefore = BufferPool.Outstanding;

    [Fact]
    public void Items_of_many_streams_that_are_begun_on_their_last_credit_hold_no_more_than_the_budgets()
    {
        var (peer, method) = Accepting(new ConnectionOptions { ReassemblyLimit = 4 << 20 });
        const int length = 1 << 20;
        for (int slot = 1; slot <= 20; slot++)
        {
            peer.RequestStream(new CallId(slot, 1), 0);
            SendItem(peer, FrameKind.RequestItem, new CallId(slot, 1), length);
        }

        Assert.Equal(4, method.Items.Count(items => items.Bodies.Count == 1)); // each keeps a window less than 1 MiB; a fifth does not find 1 MiB
        Assert.Equal(16, method.Items.Count(items => items.Failure?.Status == MuxStatus.ResourceExhausted));
        Assert.Null(peer.Owner.End);

        method.Items[0].Take();
        peer.RequestStream(new CallId(21, 1), 0);
        SendItem(peer, FrameKind.RequestItem, new CallId(21, 1), length);
        Assert.Single(method.Items[20].Bodies);
    }

    [Theory]
    [InlineData("taken")]
    [InlineData("answered")]
    [InlineData("failed")]
    [InlineData("forgotten")]
    [InlineData("lost")]
    [InlineData("closed")]
    public void An_item_of_a_request_is_charged_until(string end)
    {
        var (peer, method) = Accepting();
        peer.RequestStream(s_id, 0);
        SendItem(peer, FrameKind.RequestItem, s_id, 300_000);
        int cost = Assert.Single(method.Items[0].Costs);
        Assert.Equal(cost - Window, peer.Sut.Reassembly.Used);

        switch (end)
        {
            case "taken": method.Items[0].Take(); break;
            case "answered": method.Pending[0].Reply([]); break;
            case "failed": method.Pending[0].Fail(MuxStatus.Internal, MuxExecution.Executed, "x"); break;
            case "forgotten": method.Items[0].Window!.Forget(); break;
            case "closed": peer.SendFrame(FrameKind.Hello, default, []); break;
            default: peer.End(); break;
        }

        Assert.Equal((0L, _buffersBefore), (peer.Sut.Reassembly.Used, BufferPool.Outstanding));
    }

    [Theory]
    [InlineData("taken")]
    [InlineData("ended")]
    [InlineData("failed")]
    [InlineData("cancelled")]
    [InlineData("lost")]
    public void An_item_of_a_reply_is_charged_until(string end)
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.CallStream(Descriptor(MethodShape.ResponseStream));
        SendItem(peer, FrameKind.ResponseItem, call.Id, 300_000);
        Assert.Equal(Assert.Single(call.Received.Costs) - Window, peer.Sut.Reassembly.Used);

        switch (end)
        {
            case "taken": call.Received.Take(); break;
            case "ended": peer.Respond(call.Id, []); break;
            case "failed": peer.SendFrame(FrameKind.Fail, call.Id, [(byte)MuxStatus.Internal, (byte)MuxExecution.Executed, 0, 0, 0, 0, 0, 0]); break;
            case "cancelled": CallHolder.Cancel(call); break;
            default: peer.End(); break;
        }

        Assert.Equal((0L, _buffersBefore), (peer.Sut.Reassembly.Used, BufferPool.Outstanding));
    }

    [Fact]
    public void An_item_that_is_taken_in_part_stays_charged_with_what_was_not_returned_of_it()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var window = new InboundWindow(peer.Sut, s_id, FrameKind.RequestCredit, 1_000);
        Assert.True(peer.Sut.Reassembly.TryBegin(new PartialMessage(FrameKind.RequestItem, s_id, 8_192, isUnwanted: false)));
        window.OnFrame(5_000, isFirst: true); // costs 5,008
        peer.Sut.Reassembly.Release(8_192 - window.Keep(8_192));
        Assert.Equal(4_008, peer.Sut.Reassembly.Used);

        window.OnTaken(499);
        Assert.Equal(4_008, peer.Sut.Reassembly.Used);
        window.OnTaken(1_501);
        Assert.Equal(2_008, peer.Sut.Reassembly.Used);
        window.OnTaken(3_008);
        Assert.Equal(0, peer.Sut.Reassembly.Used);

        Assert.True(peer.Sut.Reassembly.TryBegin(new PartialMessage(FrameKind.RequestItem, s_id, 8_192, isUnwanted: false)));
        window.OnFrame(900, isFirst: true);
        Assert.Equal(0, window.Keep(8_192)); // within the window
        window.OnFrame(900, isFirst: true);
        Assert.Equal(10, window.Keep(10)); // no more than its message had
        lock (peer.Sut.Gate) window.EndLocked();
        Assert.Equal(8_182, peer.Sut.Reassembly.Used);
        Assert.Equal(0, window.Keep(8_192));
    }

    [Theory]
    [InlineData("disposed", false)]
    [InlineData("disposed", true)]
    [InlineData("aborted", false)]
    [InlineData("undecodable", false)]
    public async Task A_reader_that_forgets_its_items_charges_nothing_for_them(string end, bool readsBytes)
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var window = new InboundWindow(peer.Sut, s_id, FrameKind.RequestCredit, Window);
        var consumer = new Consumer();
        IInboundItems reader = readsBytes ? new ByteReader(consumer) : new ItemReader<byte[]>(new ItemsOf<byte[]>(Descriptor(MethodShape.RequestStream), new Codec()), consumer, MuxDispatchMode.Pool);
        reader.Begin(window);
        Arrive(Window * 2);
        Assert.Equal(Window + 8, peer.Sut.Reassembly.Used);

        if (end == "disposed") await ((IAsyncDisposable)reader).DisposeAsync();
        else if (end == "aborted") reader.Abort();
        else reader.OnItem([Codec.Bad], 64);

        Assert.Equal(0, peer.Sut.Reassembly.Used);

        void Arrive(int length)
        {
            Assert.True(peer.Sut.Reassembly.TryBegin(new PartialMessage(FrameKind.RequestItem, s_id, length, isUnwanted: false)));
            Assert.Null(window.OnFrame(length, isFirst: true));
            peer.Sut.Reassembly.Release(PartialMessage.ReservedFor(length) - window.Keep(length));
            if (reader.OnItem(new byte[length], CreditFrame.CostOfItem(length))) reader.Publish(null);
        }
    }

    [Fact]
    public void Whatever_peers_send_and_consumers_take_the_budgets_cover_it_and_are_empty_in_the_end() => Seeds.ForEach(40, seed => Play(new Random(seed), isServer: seed % 2 == 0));

    /// <summary>Streams in some slots, of which at each step one begins, gets a piece of an item, is read, or ends in one of the ways there are.</summary>
    private static void Play(Random random, bool isServer)
    {
        long buffers = BufferPool.Outstanding;
        var options = new ConnectionOptions { ReassemblyLimit = 600_000, Local = new PeerSettings { StreamCredit = 20_000, MaxMessage = 300_000 } };
        var (peer, method) = isServer ? Accepting(options) : (ScriptedPeer.Open(accepting: false, options), null!);
        var streams = new List<Stream>();
        uint[] generations = new uint[9];
        for (int step = 0; step < 400 && peer.Owner.End is null; step++)
        {
            if (streams.Count == 0 || (streams.Count < 8 && random.Next(8) == 0)) streams.Add(Begin());
            var stream = streams[random.Next(streams.Count)];
            switch (random.Next(12))
            {
                case 0 when random.Next(4) == 0:
                    End(stream);
                    streams.Remove(stream);
                    break;
                case <= 2:
                    stream.Items.Take(random.Next(3));
                    break;
                default:
                    if (stream.Left > 0 || stream.Items.Costs.Sum() < Granted(stream)) stream.SendPiece(peer, random);
                    break;
            }

            // What the caller has not read of a stream that is over is the caller's own.
            long held = streams.Where(one => one.Call is not { IsDone: true }).Sum(one => one.Items.Bodies.Skip(one.Items.Taken).Sum(body => (long)body.Length));
            Assert.True(held <= peer.Sut.StreamBudget.Used + peer.Sut.Reassembly.Used, $"{held} bytes are held, and {peer.Sut.StreamBudget.Used} and {peer.Sut.Reassembly.Used} accounted for.");
            Assert.InRange(peer.Sut.Reassembly.Used, 0, 600_000);
        }

        Assert.Null(peer.Owner.End);
        if (random.Next(2) == 0) streams.ForEach(End);
        else peer.End();
        peer.End();
        Assert.Equal((0L, 0L, buffers), (peer.Sut.Reassembly.Used, peer.Sut.StreamBudget.Used, BufferPool.Outstanding));

        Stream Begin()
        {
            if (!isServer)
            {
                var call = peer.CallStream(Descriptor(MethodShape.ResponseStream));
                return new Stream(FrameKind.ResponseItem, call.Id, call.Received) { Call = call };
            }

            int slot = Enumerable.Range(1, 8).First(slot => streams.TrueForAll(one => one.Id.Slot != slot));
            var id = new CallId(slot, ++generations[slot]);
            peer.RequestStream(id, 0);
            return new Stream(FrameKind.RequestItem, id, method.Items[^1]) { Accepted = method.Pending[^1] };
        }

        long Granted(Stream stream)
        {
            foreach (var frame in peer.ReadAll())
            {
                if (frame.Kind is FrameKind.RequestCredit or FrameKind.ResponseCredit && CreditFrame.TryRead(frame.Payload, frame.Kind, out int bytes, out _) && streams.Find(one => one.Id == frame.Id) is { } of)
                    of.Granted += bytes;
            }

            return stream.Granted;
        }

        void End(Stream stream)
        {
            if (stream.Accepted is { } accepted)
            {
                if (random.Next(3) == 0) peer.SendFrame(FrameKind.Cancel, stream.Id, [0]);
                if (random.Next(2) == 0) stream.Items.Window!.Forget();
                accepted.Reply([]);
            }
            else if (stream.Call is { } call)
            {
                if (random.Next(2) == 0) CallHolder.Cancel(call);
                if (stream.Left == 0 || call.IsDone) peer.Respond(stream.Id, []);
                else peer.SendFrame(FrameKind.Fail, stream.Id, [(byte)MuxStatus.Internal, (byte)MuxExecution.Executed, 0, 0, 0, 0, 0, 0]);
            }
        }
    }

    private static (ScriptedPeer Peer, ProbeMethod Method) Accepting(ConnectionOptions? options = null)
    {
        var peer = ScriptedPeer.Open(accepting: true, options);
        var method = peer.Methods.Add("test/Up", MethodShape.RequestStream);
        peer.Define(0, "test/Up", MethodShape.RequestStream);
        return (peer, method);
    }

    private static MethodDescriptor Descriptor(MethodShape shape) => new("test", "Stream", shape, takesToken: false);

    private static void SendItem(ScriptedPeer peer, FrameKind kind, CallId id, int length)
    {
        peer.Begin(kind, id, length);
        for (int at = 0; at < length; at += 32_768) peer.Continue(kind, id, new byte[Math.Min(32_768, length - at)], isLast: at + 32_768 >= length);
    }

    /// <summary>A stream as its sender sees it.</summary>
    private sealed class Stream(FrameKind kind, CallId id, ProbeItems items)
    {
        public CallId Id => id;

        public ProbeItems Items => items;

        public InboundCall? Accepted { get; init; }

        public ProbeStreamCall? Call { get; init; }

        public long Granted { get; set; } = 20_000;

        /// <summary>Bytes that are missing of the item that is begun.</summary>
        public int Left { get; private set; }

        public void SendPiece(ScriptedPeer peer, Random random)
        {
            if (Left == 0)
            {
                Left = random.Next(1, 250_000);
                peer.Begin(kind, id, Left);
                return;
            }

            int length = Math.Min(Left, random.Next(2) == 0 ? 60_000 : random.Next(1_024, 60_000));
            Left -= length;
            peer.Continue(kind, id, new byte[length], isLast: Left == 0);
        }
    }

    internal sealed class Consumer : IItemConsumer
    {
        public IWorkOwner WorkOwner { get; } = new RecordingOwner();

        public bool OnEnumerated(CancellationToken cancellationToken) => true;

        public void OnDisposed()
        {
        }

        public void OnUndecodable(Exception error)
        {
        }

        public void OnUserCodeFailed(Exception error)
        {
        }
    }

    private sealed class Codec() : MessageCodec<byte[]>("items")
    {
        public const byte Bad = 0xFF;

        public override void Encode(ref MessageWriter writer, byte[] message) => writer.Write(message);

        public override byte[] Decode(ReadOnlySpan<byte> body) => body is [Bad] ? throw new InvalidOperationException("No item.") : body.ToArray();
    }
}
