using Mux;

namespace Gateway;

public sealed class Orders : IOrders
{
    public ValueTask<string> Place(string item, int count, CancellationToken cancellationToken) => count > 0
        ? new($"{count} x {item} ordered")
        : throw new MuxException(MuxStatus.InvalidArgument, "Order at least one.");
}
