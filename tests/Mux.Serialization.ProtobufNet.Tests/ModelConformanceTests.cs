using Mux.TestSupport.Serializers;

namespace Mux.Serialization.ProtobufNet.Tests;

/// <summary>The suite for a model that protobuf-net generates.</summary>
public sealed class ModelConformanceTests : SerializerConformanceTests<IModelEcho, NetSpecimen, ModelConformanceTests.ModelEcho>
{
    protected override IReadOnlyDictionary<string, byte[]> Hostile => HostileProtobuf.All;

    protected override byte[]? Nested(int depth) => HostileProtobuf.Nested(depth);

    protected override NetSpecimen Make(Specimen specimen) => NetSpecimen.From(specimen);

    protected override Specimen Describe(NetSpecimen message) => message.Describe();

    protected override ValueTask<NetSpecimen> Echo(IModelEcho proxy, NetSpecimen message) => proxy.Echo(message);

    protected override IAsyncEnumerable<NetSpecimen> EchoAll(IModelEcho proxy, IAsyncEnumerable<NetSpecimen> messages) => proxy.EchoAll(messages, TestContext.Current.CancellationToken);

    protected override ValueTask Refuse(IModelEcho proxy, NetSpecimen message) => proxy.Refuse(message);

    public sealed class ModelEcho : EchoService<NetSpecimen>, IModelEcho;
}
