using Mux.Contracts;

namespace Mux.Calls;

/// <summary>Creates the reader for the items of a stream.</summary>
internal static class StreamReaders
{
    public static IStreamReader<T> Create<T>(ItemsOf<T> items, IItemConsumer owner, MuxDispatchMode dispatch) =>
        typeof(T) == typeof(ByteChunk) ? (IStreamReader<T>)(object)new ByteReader(owner) : new ItemReader<T>(items, owner, dispatch);
}
