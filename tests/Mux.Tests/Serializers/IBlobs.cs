using System.Buffers;
using Mux.Serialization.Raw;

namespace Mux.Tests.Serializers;

/// <summary>Every way to declare bytes.</summary>
[MuxService("test.Blobs", Serializer = typeof(RawSerializer))]
public interface IBlobs
{
    ValueTask<byte[]> Array(byte[] bytes);

    ValueTask<ReadOnlyMemory<byte>> Memory(ReadOnlyMemory<byte> bytes);

    ValueTask<ReadOnlySequence<byte>> Sequence(ReadOnlySequence<byte> bytes);

    ValueTask<PooledBytes> Pooled(PooledBytes bytes, CancellationToken cancellationToken = default);

    ValueTask<IMemoryOwner<byte>> Owner(IMemoryOwner<byte> bytes);

    IAsyncEnumerable<PooledBytes> Pieces(IAsyncEnumerable<PooledBytes> pieces, CancellationToken cancellationToken = default);
}
