namespace Mux.Tool.Workloads;

/// <summary>Items that are there as soon as they are asked for. Enumerated once.</summary>
/// <param name="next">Makes one; null at the end.</param>
/// <remarks>Leaner than an async iterator, whose every step passes through a state machine: what is measured is the stream and not its source.</remarks>
internal sealed class ItemSequence<T>(Func<T?> next) : IAsyncEnumerable<T>, IAsyncEnumerator<T>
    where T : class
{
    private T? _current;

    public T Current => _current!;

    public IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default) => this;

    public ValueTask<bool> MoveNextAsync()
    {
        _current = next();
        return new ValueTask<bool>(_current is not null);
    }

    public ValueTask DisposeAsync() => default;
}
