using System.Runtime.Serialization;

namespace Mux.Tests.Ordering;

/// <summary>Methods whose calls come in batches, and one whose calls do not.</summary>
[MuxService("test.Stock")]
public interface IStock
{
    [MuxMethod(Batched = 16)]
    ValueTask<int> Find(int id, CancellationToken cancellationToken = default);

    [MuxMethod(Batched = 1024)]
    Task Store(StockItem item);

    [MuxMethod(Batched = 4)]
    ValueTask<MuxResult<StockItem>> Read(int id, MuxCallOptions? options = null);

    ValueTask<int> Count();
}

[DataContract]
public sealed class StockItem
{
    [DataMember(Order = 1)]
    public int Id { get; set; }

    [DataMember(Order = 2)]
    public byte[] Body { get; set; } = [];
}
