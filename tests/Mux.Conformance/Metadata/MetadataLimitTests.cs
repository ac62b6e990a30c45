using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;

namespace Mux.Conformance.Metadata;

/// <summary>Metadata above what the other side takes fails its call, and nothing else.</summary>
[Cases(48)]
public sealed class MetadataLimitTests : ConformanceTests
{
    private const int Limit = 1_000;
    private const int Entry = 32 + 1; // what each is charged beside its value, with a key of one letter

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Request_metadata_of_the_limit_is_taken_and_a_byte_more_fails_before_it_is_sent(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, server: options => options.MaxMetadataBytes = Limit);
        foreach (var call in StageCalls.Kinds)
        {
            (await world.Calls.CallAsync(call, With(Limit - Entry))).Succeeded();
            long started = world.Stage.Started.Count;
            var error = (await world.Calls.CallAsync(call, With(Limit - Entry + 1))).Failed(MuxStatus.ResourceExhausted);
            Assert.Equal(MuxExecution.NotExecuted, error.Execution);
            Assert.Equal(started, world.Stage.Started.Count);
            await world.AssertAliveAsync();
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task More_entries_than_are_sent_fail_their_call_alone(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        foreach (var call in StageCalls.Kinds)
        {
            (await world.Calls.CallAsync(call, new MuxCallOptions { Metadata = Many(MuxMetadata.MaxEntries) })).Succeeded();
            (await world.Calls.CallAsync(call, new MuxCallOptions { Metadata = Many(MuxMetadata.MaxEntries + 1) })).Failed(MuxStatus.ResourceExhausted);
            await world.AssertAliveAsync();
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Response_metadata_above_the_limit_of_the_caller_fails_the_call_alone(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, client: options => options.MaxMetadataBytes = Limit);
        foreach (var call in StageCalls.Kinds)
        {
            foreach (int size in new[] { Limit - Entry, Limit - Entry + 1 })
            {
                world.Stage.Script = (requests, options, _) =>
                {
                    options.ResponseMetadata!.Add("k", new byte[size]);
                    return requests;
                };
                var response = new MuxMetadata();
                var outcome = await world.Calls.CallAsync(call, new MuxCallOptions { ResponseMetadata = response });
                if (size > Limit - Entry) outcome.Failed(MuxStatus.ResourceExhausted);
                else outcome.Succeeded();
                Assert.Equal(size > Limit - Entry ? 0 : 1, response.Count);
            }

            await world.AssertAliveAsync();
        }
    }

    private static MuxCallOptions With(int bytes)
    {
        var metadata = new MuxMetadata();
        metadata.Add("k", new byte[bytes]);
        return new MuxCallOptions { Metadata = metadata };
    }

    private static MuxMetadata Many(int entries)
    {
        var metadata = new MuxMetadata();
        for (int i = 0; i < entries; i++) metadata.Add("k", "v");
        return metadata;
    }
}
