using Mux;

namespace Orders;

public sealed class OrderService : IOrders
{
    public ValueTask<Order> Find(int id, CancellationToken cancellationToken)
    {
        if (id < 0) throw new MuxException(MuxStatus.NotFound, $"There is no order {id}.");
        return new(new Order { Id = id, Customer = "Nancy" });
    }
}
