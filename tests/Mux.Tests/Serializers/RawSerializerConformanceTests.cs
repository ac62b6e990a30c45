using Mux.TestSupport.Serializers;

namespace Mux.Tests.Serializers;

/// <summary>Bytes as they are: every message is one, so there is nothing to refuse.</summary>
public sealed class RawSerializerConformanceTests : SerializerConformanceTests<IRawEcho, byte[], RawEcho>
{
    protected override bool HasShape => false;

    protected override IReadOnlyDictionary<string, byte[]> Hostile { get; } = new Dictionary<string, byte[]>();

    protected override byte[]? Nested(int depth) => null;

    protected override byte[] Make(Specimen specimen) => specimen.Bytes;

    protected override Specimen Describe(byte[] message) => new() { Bytes = message };

    protected override ValueTask<byte[]> Echo(IRawEcho proxy, byte[] message) => proxy.Echo(message);

    protected override IAsyncEnumerable<byte[]> EchoAll(IRawEcho proxy, IAsyncEnumerable<byte[]> messages) => proxy.EchoAll(messages, TestContext.Current.CancellationToken);

    protected override ValueTask Refuse(IRawEcho proxy, byte[] message) => proxy.Refuse(message);
}
