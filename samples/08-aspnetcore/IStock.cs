using Mux;

namespace Stock;

[MuxService("stock.Stock")]
public interface IStock
{
    ValueTask<int> Count(string item, CancellationToken cancellationToken = default);
}
