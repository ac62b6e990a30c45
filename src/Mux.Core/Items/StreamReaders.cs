using Mux.Contracts;

namespace Mux.Items;

/// <summary>Creates the reader for the items of a stream.</summary>
internal static class StreamReaders<T, TCodec>
    where TCodec : struct, IItemCodec<T>
{
    public static IStreamReader<T> Create(IItemConsumer owner, MuxDispatchMode dispatch) =>
        typeof(T) == typeof(ByteChunk) ? (IStreamReader<T>)(object)new ByteReader(owner) : new ItemReader<T, TCodec>(owner, dispatch);
}
