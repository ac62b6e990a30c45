using Microsoft.Extensions.DependencyInjection;
using Mux;

namespace Shop;

public static class DecoratorRegistrations
{
    public static void AddCheckedOrders(this IServiceCollection services)
    {
        services.AddSingleton<OrderService>();
        services.AddMuxServer().AddService<IOrders, CheckedOrders>(); // calls reach CheckedOrders, and through it OrderService
    }
}

public sealed class CheckedOrders(OrderService inner) : IOrders
{
    public ValueTask<MuxResult<Order>> PlaceAsync(Cart cart, CancellationToken cancellationToken)
    {
        if (cart.Article.Length > 100) throw new MuxException(MuxStatus.InvalidArgument, $"The article has {cart.Article.Length} characters; at most 100 are allowed.");
        return inner.PlaceAsync(cart, cancellationToken);
    }
}
