using System.Runtime.Serialization;
using Mux;

namespace Depot;

[MuxService("shop.Stock")]
public interface IStock
{
    [MuxMethod(Batched = 256)]
    ValueTask<StockItem> FindAsync(int id, CancellationToken cancellationToken = default);

    ValueTask<int> CountAsync(CancellationToken cancellationToken = default);
}

[DataContract]
public sealed class StockItem
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

    [DataMember(Order = 2)]
    public int Left { get; set; }
}

public sealed class Stock(StockTable table) : IStockBatch
{
    public async ValueTask FindAsync(MuxCalls<int, StockItem> calls)
    {
        var items = await table.ReadAsync([.. calls.Select(call => call.Request)]); // one statement for all
        foreach (var call in calls)
        {
            if (items.TryGetValue(call.Request, out var item)) call.SetResult(item);
            else call.Fail(MuxStatus.NotFound, $"There is no {call.Request}.");
        }
    }

    public ValueTask<int> CountAsync(CancellationToken cancellationToken) => table.CountAsync();
}

/// <summary>Stands for a table of a database.</summary>
public sealed class StockTable
{
    private readonly Dictionary<int, StockItem> _items = [];

    public ValueTask<Dictionary<int, StockItem>> ReadAsync(int[] ids) => new(ids.Distinct().Where(_items.ContainsKey).ToDictionary(id => id, id => _items[id]));

    public ValueTask<int> CountAsync() => new(_items.Count);
}
