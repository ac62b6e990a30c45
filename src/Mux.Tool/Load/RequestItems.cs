using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>The items of a request stream, each there as soon as it is asked for. Enumerated once.</summary>
/// <param name="items">The items, encoded.</param>
/// <param name="recorders">Count an item when the call takes it.</param>
/// <remarks>Leaner than an async iterator, for the reason given in <see cref="Workloads.ItemSequence{T}"/>.</remarks>
internal sealed class RequestItems(IReadOnlyList<ReadOnlyMemory<byte>> items, RecorderSet recorders)
    : IAsyncEnumerable<ReadOnlyMemory<byte>>, IAsyncEnumerator<ReadOnlyMemory<byte>>
{
    private int _index = -1;

    public ReadOnlyMemory<byte> Current => items[_index];

    public IAsyncEnumerator<ReadOnlyMemory<byte>> GetAsyncEnumerator(CancellationToken cancellationToken = default) => this;

    public ValueTask<bool> MoveNextAsync()
    {
        if (++_index >= items.Count) return new ValueTask<bool>(false);
        recorders.Current[Measured.Sent].RecordUntimed();
        return new ValueTask<bool>(true);
    }

    public ValueTask DisposeAsync() => default;
}
