using System.Runtime.Serialization;
using Mux;

namespace Shop;

[MuxService("shop.Orders"), MuxError<Throttled>(1)]
public interface IOrders
{
    [MuxError<OutOfStock>(2)]
    ValueTask<MuxResult<Order>> PlaceAsync(Cart cart, CancellationToken cancellationToken = default);
}

[DataContract]
public sealed record Throttled([property: DataMember(Order = 1)] int CallsPerSecond);

[DataContract]
public sealed record OutOfStock([property: DataMember(Order = 1)] string Article, [property: DataMember(Order = 2)] int Left);

[DataContract]
public sealed record Order([property: DataMember(Order = 1)] int Id);

[DataContract]
public sealed record Cart([property: DataMember(Order = 1)] string Article, [property: DataMember(Order = 2)] int Count);
