using Mux.Serialization.Raw;
using Mux.TestSupport.Serializers;

namespace Mux.Tests.Serializers;

/// <summary>Bytes that have an owner, which is whoever has them.</summary>
public sealed class PooledBytesConformanceTests : SerializerConformanceTests<IPooledEcho, PooledBytes, PooledBytesConformanceTests.PooledEcho>
{
    protected override bool HasShape => false;

    protected override IReadOnlyDictionary<string, byte[]> Hostile { get; } = new Dictionary<string, byte[]>();

    protected override byte[]? Nested(int depth) => null;

    protected override PooledBytes Make(Specimen specimen) => PooledBytes.CopyOf(specimen.Bytes);

    protected override Specimen Describe(PooledBytes message) => new() { Bytes = message.Span.ToArray() };

    protected override ValueTask<PooledBytes> Echo(IPooledEcho proxy, PooledBytes message) => proxy.Echo(message);

    protected override IAsyncEnumerable<PooledBytes> EchoAll(IPooledEcho proxy, IAsyncEnumerable<PooledBytes> messages) => proxy.EchoAll(messages, TestContext.Current.CancellationToken);

    protected override ValueTask Refuse(IPooledEcho proxy, PooledBytes message) => proxy.Refuse(message);

    public sealed class PooledEcho : EchoService<PooledBytes>, IPooledEcho;
}
