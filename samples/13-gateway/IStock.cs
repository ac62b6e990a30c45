using Mux;

namespace Gateway;

[MuxService("shop.Stock")]
public interface IStock
{
    IAsyncEnumerable<int> Watch(string item, CancellationToken cancellationToken = default);
}
