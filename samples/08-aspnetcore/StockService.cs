namespace Stock;

public sealed class StockService : IStock
{
    public ValueTask<int> Count(string item, CancellationToken cancellationToken = default) => new(item.Length);
}
