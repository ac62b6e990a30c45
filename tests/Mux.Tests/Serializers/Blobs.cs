using System.Buffers;
using System.Runtime.CompilerServices;
using Mux.Serialization.Raw;

namespace Mux.Tests.Serializers;

/// <summary>Gives bytes back.</summary>
internal sealed class Blobs : IBlobs
{
    public ValueTask<byte[]> Array(byte[] bytes) => new(bytes);

    public ValueTask<ReadOnlyMemory<byte>> Memory(ReadOnlyMemory<byte> bytes) => new(bytes);

    public ValueTask<ReadOnlySequence<byte>> Sequence(ReadOnlySequence<byte> bytes) => new(bytes);

    /// <summary>In memory of its own, as a handler has it that makes its answer.</summary>
    public ValueTask<PooledBytes> Pooled(PooledBytes bytes, CancellationToken cancellationToken = default)
    {
        using (bytes) return new(PooledBytes.CopyOf(bytes.Span));
    }

    public ValueTask<IMemoryOwner<byte>> Owner(IMemoryOwner<byte> bytes) => new(bytes);

    public async IAsyncEnumerable<PooledBytes> Pieces(IAsyncEnumerable<PooledBytes> pieces, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var piece in pieces.WithCancellation(cancellationToken)) yield return piece;
    }
}
