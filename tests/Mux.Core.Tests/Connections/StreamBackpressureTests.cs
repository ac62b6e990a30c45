using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>What holds the producer of a stream back, and a connection whose peer takes nothing.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class StreamBackpressureTests
{
    private static readonly CallId s_id = new(1, 1);

    private readonly ManualWork _work = new();

    [Theory]
    [InlineData(4_200)]
    [InlineData(1_000_000)]
    public async Task A_producer_waits_while_too_much_is_unsent_however_much_credit_it_has(int size)
    {
        const int limit = 4_000_000, bytes = 40_000_000;
        var options = new ConnectionOptions { BulkUnsentLimit = limit, Work = _work };
        var peer = ScriptedPeer.Open(accepting: true, options, new PeerSettings { StreamCredit = int.MaxValue });
        var method = peer.Methods.Add("s/Items", MethodShape.ResponseStream);
        peer.Define(0, "s/Items", MethodShape.ResponseStream);
        peer.Request(s_id, 0, []);
        peer.StopReading();

        var pump = ItemPump<byte[]>.RunAsync(Items(bytes / size, size), BytesCodec.Instance, method.Pending[0].Stream!.Responses!, CancellationToken.None);

        Assert.False(pump.IsCompleted);
        Assert.InRange(peer.Sut.Outbound.Unsent, limit, limit + size + OutboundBlock.Size);

        peer.Link.Capacity = long.MaxValue;
        peer.Link.Handler.OnWritable();
        _work.RunAll();
        Assert.True(pump.IsCompleted, "the producer was not woken");
        Assert.True(await pump);
        Assert.Equal(0, peer.Sut.Outbound.Unsent);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_producer_that_watches_no_token_ends_with_the_item_it_was_at(bool ends)
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = _work });
        var method = peer.Methods.Add("s/Items", MethodShape.ResponseStream);
        peer.Define(0, "s/Items", MethodShape.ResponseStream);
        peer.Request(s_id, 0, []);
        var stream = method.Pending[0].Stream!.Responses!;
        var next = new TaskCompletionSource<bool>();
        int made = 0;
        var pump = ItemPump<byte[]>.RunAsync(Deaf(), BytesCodec.Instance, stream, CancellationToken.None);

        stream.Abort();
        next.SetResult(!ends);

        Assert.True(pump.IsCompleted);
        Assert.False(await pump);
        Assert.Equal(ends ? 1 : 2, made);

        async IAsyncEnumerable<byte[]> Deaf()
        {
            while (true)
            {
                made++;
                yield return [1];
                if (!await next.Task) yield break;
            }
        }
    }

    [Fact]
    public async Task Room_wakes_no_more_producers_than_it_is_for_and_the_others_when_those_end_without_an_item()
    {
        const int streams = 20, woken = 4; // at 32 KiB each
        var options = new ConnectionOptions { BulkUnsentLimit = 100_000, Work = _work };
        var peer = ScriptedPeer.Open(accepting: true, options, new PeerSettings { StreamCredit = int.MaxValue });
        var method = peer.Methods.Add("s/Items", MethodShape.ResponseStream);
        peer.Define(0, "s/Items", MethodShape.ResponseStream);
        for (int slot = 1; slot <= streams; slot++) peer.Request(new CallId(slot, 1), 0, []);
        peer.StopReading();
        var sending = method.Pending.Select(call => call.Stream!.Responses!).ToArray();
        var pumps = sending.Select((stream, i) => ItemPump<byte[]>.RunAsync(Items(i == 0 ? 100 : 1, 4_200), BytesCodec.Instance, stream, CancellationToken.None)).ToArray();
        Assert.DoesNotContain(pumps, static pump => pump.IsCompleted);

        peer.Link.Capacity = long.MaxValue;
        peer.Link.Handler.OnWritable();
        Assert.Equal(woken, _work.Count);

        foreach (var stream in sending.Take(woken)) stream.Abort();
        Assert.Equal(woken, _work.Count);
        _work.RunAll();
        Assert.All(pumps, static pump => Assert.True(pump.IsCompleted, "a producer was not woken"));
        Assert.Equal(pumps.Select((_, i) => i >= woken), await Task.WhenAll(pumps));
        Assert.Equal(0, peer.Sut.Outbound.Unsent);
    }

    [Fact]
    public async Task A_response_stream_that_was_cut_ends_its_call_as_what_it_is_told()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = _work }, new PeerSettings { StreamCredit = int.MaxValue });
        var method = peer.Methods.Add("s/Items", MethodShape.ResponseStream);
        peer.Define(0, "s/Items", MethodShape.ResponseStream);
        peer.Request(s_id, 0, []);
        peer.StopReading();
        var call = method.Pending[0];
        var responses = call.Stream!.Responses!;
        Assert.True(await ItemPump<byte[]>.RunAsync(Items(10, 100_000), BytesCodec.Instance, responses, CancellationToken.None));
        responses.Abort(); // as a cancelled token does, or a deadline, between the last item and the end

        var status = call.Reply([]);

        Assert.Equal(MuxStatus.Cancelled, status);
        Assert.Equal(1, peer.Sut.RequestCounts.LockedTally.CountOf(method.Descriptor, MuxStatus.Cancelled));
        peer.Link.Capacity = long.MaxValue;
        peer.Link.Handler.OnWritable();
        Assert.Equal((byte)MuxStatus.Cancelled, peer.ReadAll()[^1].Payload[0]);
    }

    [Fact]
    public void A_peer_that_grants_no_credit_for_its_replies_is_given_up()
    {
        var peer = Serving(out var method);
        peer.Request(s_id, 0, []);
        method.Pending[0].Reply(new byte[1_000_000]);
        _work.RunAll();
        peer.Time.Advance(TimeSpan.FromSeconds(29));
        Assert.Null(peer.Owner.End);

        peer.Credit(FrameKind.Credit, default, ProtocolConstants.MaxFragmentBody); // lets another fragment go
        peer.Sut.FlushTurn();
        _work.RunAll();
        peer.Time.Advance(TimeSpan.FromSeconds(29));
        Assert.Null(peer.Owner.End);
        peer.Credit(FrameKind.Credit, default, 1); // lets nothing go
        peer.Time.Advance(TimeSpan.FromSeconds(2));

        Assert.Equal(CloseReason.SlowPeer, peer.Owner.End?.Reason);
        Assert.Contains("granted no credit for large replies for 30 s", peer.Owner.End!.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_peer_that_takes_its_large_replies_in_time_is_not_given_up_later()
    {
        var peer = Serving(out var method);
        peer.Request(s_id, 0, []);
        method.Pending[0].Reply(new byte[100_000]);
        _work.RunAll();
        peer.Credit(FrameKind.Credit, default, 1_000_000);
        peer.Sut.FlushTurn();
        _work.RunAll();

        peer.Time.Advance(TimeSpan.FromMinutes(2));

        Assert.Null(peer.Owner.End);
        Assert.Equal(100_000, peer.ReadMessages().Single(frame => frame.Kind == FrameKind.Response).Payload.Length);
    }

    private ScriptedPeer Serving(out ProbeMethod method)
    {
        var options = new ConnectionOptions { StallTimeout = 30_000_000, KeepAliveTime = Clock.Never, Work = _work };
        var peer = ScriptedPeer.Open(accepting: true, options, new PeerSettings { BulkCredit = 1 });
        method = peer.Methods.Add("s/Large");
        peer.Define(0, "s/Large");
        return peer;
    }

#pragma warning disable CS1998 // they are there at once
    private static async IAsyncEnumerable<byte[]> Items(int count, int size)
    {
        var item = new byte[size];
        for (int i = 0; i < count; i++) yield return item;
    }
#pragma warning restore CS1998
}
