namespace Mux.Generators.Tests.Calls;

/// <summary>No contract by itself: what its methods send is decided where it is inherited.</summary>
public interface IStore<TItem, in TKey>
    where TItem : class
{
    ValueTask<TItem?> Find(TKey key, CancellationToken cancellationToken = default);

    ValueTask<int> Put(TKey key, List<TItem> items);

    IAsyncEnumerable<TItem> List(IAsyncEnumerable<TKey> keys);
}
