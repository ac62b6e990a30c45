using System.Runtime.CompilerServices;

namespace Mux.Calls;

/// <summary>A stream whose items are counted when they are read.</summary>
internal sealed class CountedItems<T>(IAsyncEnumerable<T> items, ItemCount count) : IAsyncEnumerable<T>
{
    public IAsyncEnumerator<T> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        new Enumerator(items.GetAsyncEnumerator(cancellationToken), count);

    private sealed class Enumerator(IAsyncEnumerator<T> items, ItemCount count) : IAsyncEnumerator<T>
    {
        public T Current => items.Current;

        public ValueTask<bool> MoveNextAsync()
        {
            var moving = items.MoveNextAsync();
            if (!moving.IsCompletedSuccessfully) return AwaitAsync(moving);
#pragma warning disable VSTHRD002 // it is complete
            if (!moving.Result) return new ValueTask<bool>(false);
#pragma warning restore VSTHRD002
            count.Add();
            return new ValueTask<bool>(true);
        }

        public ValueTask DisposeAsync() => items.DisposeAsync();

        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
        private async ValueTask<bool> AwaitAsync(ValueTask<bool> moving)
        {
            if (!await moving.ConfigureAwait(false)) return false;
            count.Add();
            return true;
        }
    }
}
