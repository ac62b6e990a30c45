namespace Mux.Tests.Contracts;

/// <summary>No contract by itself: what it sends is decided where it is inherited.</summary>
public interface IShelf<TItem, in TKey>
{
    ValueTask<TItem?> Take(TKey key, CancellationToken cancellationToken = default);

    IAsyncEnumerable<TItem> All(CancellationToken cancellationToken = default);
}
