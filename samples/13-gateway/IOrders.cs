using Mux;

namespace Gateway;

[MuxService("shop.Orders")]
public interface IOrders
{
    ValueTask<string> Place(string item, int count, CancellationToken cancellationToken = default);
}
