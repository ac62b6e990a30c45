using System.IO.Pipelines;
using System.Threading.Channels;
using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Producers;

/// <summary>Whoever reads may stop early: the other side is told, and disposes what it made.</summary>
[Cases(19, 20)]
public sealed class ConsumerTests : ConformanceTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_consumer_that_disposes_early_ends_the_handler(TransportKind kind, int connections)
    {
        int calls = 0;
        var world = Open(kind, connections, Scripts.Hold(10));
        foreach (var call in StageCalls.Kinds.Where(call => call.StreamsReplies()))
        {
            foreach (int read in new[] { 0, 1, 10 })
            {
                var replies = world.Calls.Stream(call, Payloads.Numbered(3)).GetAsyncEnumerator();
                for (int i = 0; i < read; i++) Assert.True(await replies.MoveNextAsync());
                await world.Stage.Started.ReachAsync(++calls);
                await replies.DisposeAsync();
                await world.Stage.Ended.ReachAsync(calls);
            }
        }

        await world.AssertAliveAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_consumer_that_leaves_its_loop_stops_a_handler_without_an_end(TransportKind kind, int connections)
    {
        var over = new Signal("the disposal of the handler's stream");
        var world = Open(kind, connections, (_, _, _) => Payloads.Endless(over));
        await foreach (var reply in world.Calls.List(new Payload()))
        {
            if (reply.Number == 5_000) break;
        }

        await over.WaitAsync();
        await world.Stage.Ended.ReachAsync(1);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Items_of_a_mebibyte_come_both_ways(TransportKind kind, int connections)
    {
        const int Size = 1 << 20;
        var world = Open(kind, connections);
        int next = 0;
        await foreach (var reply in world.Calls.Talk(Payloads.Numbered(10, Size)))
        {
            Assert.Equal(next++, reply.Number);
            Payloads.AssertIs(Size, reply);
        }

        Assert.Equal(10, next);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_channel_that_its_reader_leaves_half_way_ends_with_the_token(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        using var cancellation = new CancellationTokenSource();
        var sent = Channel.CreateUnbounded<Payload>();
        for (int i = 0; i < 100; i++) sent.Writer.TryWrite(new Payload { Number = i });
        var replies = world.Probe.ExchangeByChannel(sent.Reader, cancellation.Token);
        for (int i = 0; i < 50; i++) Assert.Equal(i, (await replies.ReadAsync()).Number);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await replies.ReadAllAsync().CountAsync());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => replies.Completion.Within("the completion of the channel"));
        await world.AssertAliveAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_download_that_is_disposed_half_way_disposes_the_handlers_stream(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        var probe = new Probe();
        var server = world.Scene.StartServer(server => server.AddService<IProbe>(probe));
        var sut = world.Scene.CreateChannel(server, options => options.MinConnections = connections).CreateProxy<IProbe>();
        await using (var download = await sut.Download(100_000_000))
        {
            var buffer = new byte[10_000];
            await download.ReadExactlyAsync(buffer);
        }

        await probe.Downloads.ReachAsync(1);
        var pipe = PipeReader.Create(await sut.Download(100_000_000));
        pipe.AdvanceTo((await pipe.ReadAsync()).Buffer.End);
        await pipe.CompleteAsync();
        await probe.Downloads.ReachAsync(2);
        Assert.Equal(4, (await sut.Echo(new Payload { Number = 4 })).Number);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task An_upload_whose_source_fails_half_way_fails_with_its_error(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(new byte[30_000]);
        var upload = world.Probe.Upload(pipe.Reader).AsTask();
        var thrown = new IOException("The disk is gone.");
        await pipe.Writer.CompleteAsync(thrown);
        Assert.Same(thrown, (await Assert.ThrowsAsync<MuxException>(() => upload.Within("the end of the upload"))).InnerException);
        await world.AssertAliveAsync();
    }
}
