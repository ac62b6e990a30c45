namespace Mux.Tool.Workloads;

/// <summary>Items that are available as soon as they are requested. Enumerated once.</summary>
/// <param name="next">Creates an item; null at the end.</param>
/// <remarks>Leaner than an async iterator, whose every step passes through a state machine: the stream is to be measured, not its source.</remarks>
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
