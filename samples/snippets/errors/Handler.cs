using Mux;

namespace Shop;

public sealed class OrderService : IOrders
{
    public async ValueTask<MuxResult<Order>> PlaceAsync(Cart cart, CancellationToken cancellationToken)
    {
        if (cart.Count <= 0) throw new MuxException(MuxStatus.InvalidArgument, $"The cart holds {cart.Count} of {cart.Article}; expected 1 or more.");
        int left = await CountAsync(cart.Article, cancellationToken);
        if (left < cart.Count) return new MuxFailure(MuxStatus.FailedPrecondition, "Too few are left.", new OutOfStock(cart.Article, left));
        return new Order(1);
    }

    private static Task<int> CountAsync(string article, CancellationToken cancellationToken) => Task.FromResult(article.Length);
}
