namespace Mux.Tests.Routing;

internal sealed class Baskets(int server) : IBaskets
{
    public ValueTask<int> Find(long customer, CancellationToken cancellationToken) => new(server);

    public ValueTask<int> FindByName(string? name, MuxCallOptions? options, CancellationToken cancellationToken) => new(server);

    public ValueTask<int> Move(int count, Guid customer, CancellationToken cancellationToken) => new(server);

    public ValueTask<int> Order(BasketOrder order, CancellationToken cancellationToken) => new(server);

    public async IAsyncEnumerable<int> Watch(long customer, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.CompletedTask;
        yield return server;
    }

    public async ValueTask<int> Fill(long customer, IAsyncEnumerable<int> articles, CancellationToken cancellationToken)
    {
        await foreach (int _ in articles.WithCancellation(cancellationToken)) continue;
        return server;
    }
}
