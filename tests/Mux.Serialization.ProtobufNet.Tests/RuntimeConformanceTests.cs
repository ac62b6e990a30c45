using Mux.TestSupport.Serializers;

namespace Mux.Serialization.ProtobufNet.Tests;

/// <summary>The suite for the runtime model.</summary>
public sealed class RuntimeConformanceTests : SerializerConformanceTests<IRuntimeEcho, NetSpecimen, RuntimeConformanceTests.RuntimeEcho>
{
    protected override IReadOnlyDictionary<string, byte[]> Hostile => HostileProtobuf.All;

    protected override byte[]? Nested(int depth) => HostileProtobuf.Nested(depth);

    protected override NetSpecimen Make(Specimen specimen) => NetSpecimen.From(specimen);

    protected override Specimen Describe(NetSpecimen message) => message.Describe();

    protected override ValueTask<NetSpecimen> Echo(IRuntimeEcho proxy, NetSpecimen message) => proxy.Echo(message);

    protected override IAsyncEnumerable<NetSpecimen> EchoAll(IRuntimeEcho proxy, IAsyncEnumerable<NetSpecimen> messages) => proxy.EchoAll(messages, TestContext.Current.CancellationToken);

    protected override ValueTask Refuse(IRuntimeEcho proxy, NetSpecimen message) => proxy.Refuse(message);

    public sealed class RuntimeEcho : EchoService<NetSpecimen>, IRuntimeEcho;
}
