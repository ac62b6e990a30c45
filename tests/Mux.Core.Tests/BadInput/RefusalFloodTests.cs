using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.BadInput;

/// <summary>Requests that are refused before anything is kept of them, by a peer that does not read the refusals: each costs the receiver more than the peer.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class RefusalFloodTests
{
    private const int MaxCalls = 100;
    private const int UnsentLimit = 1_000;
    private const int Flood = 10_000;

    private readonly long _buffersBefore = BufferPool.Outstanding;

    public enum Refused
    {
        ForItsShape,
        ForItsLength,
        ForItsLengthInFragments,
        ForWantOfRoom,
        ForItsMetadata,
        ForItsStreams,
        ByItsCancel,
        ByItsDeadline,
    }

    public static TheoryData<Refused> All => [.. Enum.GetValues<Refused>()];

    [Theory]
    [MemberData(nameof(All))]
    public void Refusals_that_are_not_read_end_the_connection_whatever_they_are_for(Refused why)
    {
        var peer = Open(why);
        peer.StopReading();
        uint generation = 0;

        while (peer.Owner.End is null && generation < Flood) Send(peer, why, ++generation);

        Assert.Equal(CloseReason.ExcessiveLoad, peer.Owner.End?.Reason);
        Assert.Contains("whose answers it has not read", peer.Owner.End?.Text, StringComparison.Ordinal);
        Assert.InRange((int)generation, MaxCalls + 1, MaxCalls + UnsentLimit / FrameHeader.Size);
        peer.End();
        Assert.Equal((0, 0L), (peer.Sut.RequestCounts.OpenCount, BufferPool.Outstanding - _buffersBefore));
    }

    [Theory]
    [MemberData(nameof(All))]
    public void A_peer_that_waits_for_its_refusals_may_be_refused_for_ever(Refused why)
    {
        var peer = Open(why);
        peer.StopReading();

        for (uint generation = 1; generation <= 10 * MaxCalls; generation++)
        {
            Send(peer, why, generation);
            var answer = ReadAnswer(peer);
            Assert.Equal((FrameKind.Fail, generation), (answer.Kind, answer.Id.Generation));
        }

        Assert.Null(peer.Owner.End);
        peer.End();
    }

    private static ScriptedPeer Open(Refused why)
    {
        var options = new ConnectionOptions
        {
            UnsentLimit = UnsentLimit,
            ReassemblyLimit = why == Refused.ForWantOfRoom ? 1 : int.MaxValue,
            StreamLimit = why == Refused.ForItsStreams ? 1 : int.MaxValue,
            Work = new ManualWork(),
            Local = new PeerSettings { MaxCalls = MaxCalls, MaxMessage = 16_384 },
        };
        var peer = ScriptedPeer.Open(accepting: true, options);
        var shape = why == Refused.ForItsStreams ? MethodShape.RequestStream : MethodShape.Unary;
        peer.Methods.Add("test/Method", shape);
        peer.Define(0, "test/Method", shape);
        return peer;
    }

    private static RawFrame ReadAnswer(ScriptedPeer peer)
    {
        for (int steps = 0; steps < 1_000; steps++)
        {
            peer.Link.Grow(peer.Link.Capacity + 16); // as little as a peer can read that waits for each answer
            if (peer.TryRead() is { Kind: not FrameKind.Credit } answer) return answer;
        }

        throw new InvalidOperationException("The last request is not answered.");
    }

    private static void Send(ScriptedPeer peer, Refused why, uint generation)
    {
        var id = new CallId(1, generation);
        switch (why)
        {
            case Refused.ForItsShape or Refused.ForItsStreams:
                peer.RequestStream(id, 0);
                break;
            case Refused.ForItsLength:
                peer.Request(id, 0, new byte[16_385]);
                break;
            case Refused.ForItsLengthInFragments:
                peer.Begin(FrameKind.Request, id, 16_385, [0, 0, 0, 0]);
                peer.SendFrame(FrameKind.Cancel, id, [0]); // what follows of it need not be sent
                break;
            case Refused.ForWantOfRoom:
                peer.Begin(FrameKind.Request, id, 2, [0, 0, 0, 0]);
                peer.SendFrame(FrameKind.Cancel, id, [0]);
                break;
            case Refused.ForItsMetadata:
                byte[] entries = [.. Enumerable.Repeat<byte[]>([1, (byte)'a', 0, 0], MuxMetadata.MaxEntries + 1).SelectMany(entry => entry)];
                peer.SendFrame(FrameKind.Request, id, [0, 0, 0, 0, .. Raw.U16((ushort)entries.Length), .. entries], FrameFlags.Meta);
                break;
            case Refused.ByItsCancel:
                peer.Begin(FrameKind.Request, id, 2, [0, 0, 0, 0]);
                peer.SendFrame(FrameKind.Cancel, id, [0]);
                break;
            case Refused.ByItsDeadline:
                peer.Begin(FrameKind.Request, id, 2, [0, 0, (byte)RequestOptions.Deadline, 0, 1, 0, 0, 0]);
                peer.Time.Advance(TimeSpan.FromMilliseconds(20)); // to behind a tick
                break;
        }
    }
}
