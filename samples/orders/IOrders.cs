using Mux;

namespace Orders;

[MuxService("shop.Orders")]
public interface IOrders
{
    ValueTask<Order> Find(int id, CancellationToken cancellationToken = default);
}
