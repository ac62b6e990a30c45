using System.Threading.Channels;
using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;

namespace Mux.Conformance.Shapes;

/// <summary>The sizes and orders that the interoperability tests of other frameworks agree on.</summary>
[Cases(1, 2, 5, 6, 9, 10)]
public sealed class InteropSizeTests : ConformanceTests
{
    private const int HeaderLength = 8;

    private static readonly int[] s_requests = [27182, 8, 1828, 45904];
    private static readonly int[] s_replies = [31415, 9, 2653, 58979];

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_message_without_a_byte_is_a_frame_without_a_payload_and_no_null(TransportKind kind, int connections)
    {
        const int Calls = 200;
        var world = Open(kind, connections);
        await MakeCallsAsync();
        long before = world.Server.GetStatistics().BytesSent;
        await MakeCallsAsync();
        long bytes = world.Server.GetStatistics().BytesSent - before;
        int uncounted = connections; // a reply reaches its call before the send is counted that carried it
        const int Others = Calls / 2; // bytes of other frames: a busy server tells its load. One byte in each reply would be twice that
        Assert.InRange(bytes, (Calls - uncounted) * HeaderLength, ((Calls + uncounted) * HeaderLength) + Others);
        Assert.All(await world.Probe.EmptyExchange(Enumerable.Repeat(new Blank(), 100).ToAsyncEnumerable()).ToListAsync(), Assert.NotNull);

        async Task MakeCallsAsync()
        {
            for (int i = 0; i < Calls; i++) Assert.NotNull(await world.Probe.Empty(new Blank()));
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_large_request_and_a_large_reply_arrive_whole(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, LargeCall.Script);
        await LargeCall.MakeAsync(world.Calls);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task The_sum_of_a_request_stream_comes_when_the_stream_has_ended(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        var sent = Channel.CreateUnbounded<Payload>();
        var sum = world.Probe.Sum(sent.Reader.ReadAllAsync()).AsTask();
        foreach (int size in s_requests) sent.Writer.TryWrite(Payloads.OfSize(size));
        await world.AssertAliveAsync();
        Assert.False(sum.IsCompleted);
        sent.Writer.Complete();
        Assert.Equal(74_922, await sum);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Replies_of_four_sizes_come_in_order(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.Replies([.. s_replies.Select(size => Payloads.OfSize(size))]));
        AssertReplies((await world.Calls.CallAsync(CallKind.ResponseStream)).Succeeded());
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Each_request_of_four_sizes_is_answered_before_the_next_is_sent(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        var sent = Channel.CreateUnbounded<Payload>();
        await using var replies = world.Calls.Talk(sent.Reader.ReadAllAsync()).GetAsyncEnumerator();
        foreach (int size in s_requests.Concat(s_replies))
        {
            sent.Writer.TryWrite(Payloads.OfSize(size));
            Assert.True(await replies.MoveNextAsync());
            Payloads.AssertIs(size, replies.Current);
        }

        sent.Writer.Complete();
        Assert.False(await replies.MoveNextAsync());
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task No_requests_make_no_replies_and_the_call_goes_well(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        Assert.Empty((await world.Calls.CallAsync(CallKind.BothStreams, Payloads.Numbered(0))).Succeeded());
        Assert.Single((await world.Calls.CallAsync(CallKind.RequestStream, Payloads.Numbered(0))).Succeeded());
        Assert.Equal(0, world.Stage.Read.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task All_replies_may_come_behind_all_requests(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.Replies([.. s_replies.Select(size => Payloads.OfSize(size))]));
        AssertReplies((await world.Calls.CallAsync(CallKind.BothStreams, Payloads.OfSizes(s_requests))).Succeeded());
        Assert.Equal(s_requests.Length, world.Stage.Read.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Replies_may_come_before_any_request(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, (requests, _, _) => s_replies.Select(size => Payloads.OfSize(size)).ToAsyncEnumerable().Concat(requests));
        var sent = Channel.CreateUnbounded<Payload>();
        await using var replies = world.Calls.Talk(sent.Reader.ReadAllAsync()).GetAsyncEnumerator();
        foreach (int size in s_replies)
        {
            Assert.True(await replies.MoveNextAsync());
            Payloads.AssertIs(size, replies.Current);
        }

        sent.Writer.TryWrite(Payloads.OfSize(5));
        sent.Writer.Complete();
        Assert.True(await replies.MoveNextAsync());
        Payloads.AssertIs(5, replies.Current);
        Assert.False(await replies.MoveNextAsync());
    }

    private static void AssertReplies(IReadOnlyList<Payload> replies)
    {
        Assert.Equal(s_replies.Length, replies.Count);
        for (int i = 0; i < s_replies.Length; i++) Payloads.AssertIs(s_replies[i], replies[i]);
    }
}
