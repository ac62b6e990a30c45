using System.Buffers;
using System.IO.Pipelines;
using System.Threading.Channels;
using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;

namespace Mux.Conformance.Shapes;

/// <summary>Many items, items of all sizes, and every type that a stream may have in a contract.</summary>
[Cases(5, 6, 9)]
public sealed class StreamShapeTests : ConformanceTests
{
    private static readonly int[] s_sizes = [27182, 8, 1828, 45904];

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Small_and_large_replies_come_back_as_they_went(TransportKind kind, int connections)
    {
        var probe = Open(kind, connections).Probe;
        foreach (int size in new[] { 0, 1, 16_000, 16_384, 16_385, 40_000, 271_828, 3_000_000 }) Payloads.AssertIs(size, await probe.Echo(Payloads.OfSize(size)));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_response_stream_brings_its_items_in_order(TransportKind kind, int connections)
    {
        var probe = Open(kind, connections).Probe;
        int next = 0;
        await foreach (var payload in probe.Count(20_000, 50)) Assert.Equal(next++, payload.Number);
        Assert.Equal(20_000, next);
        next = 0;
        await foreach (var payload in probe.Count(50, 100_000)) Assert.Equal((next++, 100_000), (payload.Number, payload.Body.Length));
        Assert.Equal(50, next);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_request_stream_is_read_to_its_end(TransportKind kind, int connections)
    {
        var probe = Open(kind, connections).Probe;
        Assert.Equal(74_922, await probe.Sum(s_sizes.ToAsyncEnumerable().Select(size => new Payload { Body = new byte[size] })));
        Assert.Equal(0, await probe.Sum(AsyncEnumerable.Empty<Payload>()));
        Assert.Equal(1_000_000, await probe.Sum(Enumerable.Range(0, 20_000).ToAsyncEnumerable().Select(_ => new Payload { Body = new byte[50] })));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Both_directions_stream_at_their_own_pace(TransportKind kind, int connections)
    {
        var probe = Open(kind, connections).Probe;
        var sent = Channel.CreateUnbounded<Payload>();
        int next = 0;
        sent.Writer.TryWrite(new Payload { Number = 0 });
        await foreach (var payload in probe.Exchange(sent.Reader.ReadAllAsync()))
        {
            Assert.Equal(next++, payload.Number);
            if (next < 1_000) sent.Writer.TryWrite(new Payload { Number = next, Body = new byte[s_sizes[next % 4]] });
            else sent.Writer.TryComplete();
        }

        Assert.Equal(1_000, next);
        var read = probe.ExchangeByChannel(Count(5_000));
        next = 0;
        await foreach (var payload in read.ReadAllAsync()) Assert.Equal(next++, payload.Number);
        Assert.Equal(5_000, next);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Bytes_stream_both_ways(TransportKind kind, int connections)
    {
        var probe = Open(kind, connections).Probe;
        await using var download = await probe.Download(10_000_000);
        var buffer = new byte[100_000];
        long sum = 0;
        while (await download.ReadAsync(buffer) is > 0 and var count) sum += count;
        Assert.Equal(10_000_000, sum);
        Assert.Equal(10_000_000, await probe.Upload(PipeReader.Create(new ZeroStream(10_000_000))));
        Assert.Equal(9_000_000, await probe.Upload(PipeReader.Create(new ReadOnlySequence<byte>(new byte[9_000_000])))); // one segment, of more than a message may be
    }

    private static ChannelReader<Payload> Count(int items)
    {
        var channel = Channel.CreateUnbounded<Payload>();
        for (int i = 0; i < items; i++) channel.Writer.TryWrite(new Payload { Number = i });
        channel.Writer.Complete();
        return channel.Reader;
    }
}
