using System.Runtime.CompilerServices;
using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;

namespace Mux.Conformance.Metadata;

/// <summary>What travels beside messages: each way, text and bytes, repeated, on success and on failure.</summary>
[Cases(11, 12)]
public sealed class MetadataTests : ConformanceTests
{
    private static readonly byte[] s_bytes = [0xAB, 0xAB, 0xAB];

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Text_and_bytes_go_to_the_handler_and_come_back(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, EchoMetadata);
        foreach (var call in StageCalls.Kinds)
        {
            var response = new MuxMetadata();
            var request = new MuxMetadata { ["x-text"] = "value, with \t and \u00e9\U0001F600" };
            request.Add("x-bytes", s_bytes);
            (await world.Calls.CallAsync(call, new MuxCallOptions { Metadata = request, ResponseMetadata = response })).Succeeded();
            Assert.Equal(request["x-text"], response["x-text"]);
            Assert.True(response.TryGet("x-bytes", out var bytes));
            Assert.Equal(s_bytes, bytes.Bytes.ToArray());
            Assert.Equal(2, response.Count);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Repeated_keys_keep_their_values_and_the_order_of_all(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, EchoMetadata);
        foreach (var call in StageCalls.Kinds)
        {
            var response = new MuxMetadata();
            (await world.Calls.CallAsync(call, new MuxCallOptions { Metadata = Repeated(), ResponseMetadata = response })).Succeeded();
            AssertRepeated(response);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_failure_brings_the_metadata_of_its_handler(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.Fail(new MuxException(MuxStatus.Aborted, "conflict"), metadata: AddRepeated));
        foreach (var call in StageCalls.Kinds)
        {
            var response = new MuxMetadata();
            (await world.Calls.CallAsync(call, new MuxCallOptions { ResponseMetadata = response })).Failed(MuxStatus.Aborted);
            AssertRepeated(response);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_stream_that_fails_behind_its_first_item_brings_the_metadata_too(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.Fail(new MuxException(MuxStatus.Aborted, "conflict"), after: 2, metadata: AddRepeated));
        foreach (var call in StageCalls.Kinds)
        {
            var response = new MuxMetadata();
            var outcome = await world.Calls.CallAsync(call, new MuxCallOptions { ResponseMetadata = response });
            outcome.Failed(MuxStatus.Aborted);
            Assert.Equal(call.StreamsReplies() ? [0, 1] : [], outcome.Numbers);
            AssertRepeated(response);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task What_a_handler_adds_behind_its_last_item_comes_with_the_end_of_its_stream(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, AddAtTheEndAsync);
        var response = new MuxMetadata();
        (await world.Calls.CallAsync(CallKind.BothStreams, new MuxCallOptions { ResponseMetadata = response })).Succeeded();
        AssertRepeated(response);

        static async IAsyncEnumerable<Payload> AddAtTheEndAsync(IAsyncEnumerable<Payload> requests, MuxCallOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            await foreach (var request in requests.WithCancellation(cancellationToken)) yield return request;
            AddRepeated(options.ResponseMetadata!);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Options_in_force_hold_for_calls_that_bring_none(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, EchoMetadata);
        foreach (var call in StageCalls.Kinds)
        {
            var response = new MuxMetadata();
            var options = new MuxCallOptions { Metadata = Repeated(), ResponseMetadata = response };
            using (options.Apply()) (await world.Calls.CallAsync(call)).Succeeded();
            AssertRepeated(response);
            (await world.Calls.CallAsync(call)).Succeeded();
            AssertRepeated(response);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_handler_without_metadata_sees_none_and_knows_its_peer(TransportKind kind, int connections)
    {
        MuxCallOptions? seen = null;
        var world = Open(kind, connections, (requests, options, _) =>
        {
            seen = options;
            return requests;
        });
        foreach (var call in StageCalls.Kinds)
        {
            (await world.Calls.CallAsync(call)).Succeeded();
            Assert.Empty(seen!.Metadata!);
            Assert.NotNull(seen.Peer);
            Assert.Null(seen.Timeout);
        }
    }

    private static MuxMetadata Repeated()
    {
        var metadata = new MuxMetadata();
        AddRepeated(metadata);
        return metadata;
    }

    private static void AddRepeated(MuxMetadata metadata)
    {
        metadata.Add("a", "1");
        metadata.Add("b", s_bytes);
        metadata.Add("a", string.Empty);
        metadata.Add("a", "1");
    }

    private static void AssertRepeated(MuxMetadata metadata)
    {
        Assert.Equal(["a", "b", "a", "a"], metadata.Select(entry => entry.Key));
        Assert.Equal(["1", string.Empty, "1"], metadata.GetAll("a").Select(entry => entry.Text));
        Assert.Equal(s_bytes, Assert.Single(metadata.GetAll("b")).Bytes.ToArray());
    }

    private static async IAsyncEnumerable<Payload> EchoMetadata(IAsyncEnumerable<Payload> requests, MuxCallOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        foreach (var entry in options.Metadata!) options.ResponseMetadata!.Add(entry.Key, entry.Bytes);
        await foreach (var request in requests.WithCancellation(cancellationToken)) yield return request;
    }
}
