using System.Runtime.Serialization;
using Mux;

namespace Shop;

[MuxService("shop.Baskets")]
public interface IBaskets
{
    ValueTask<Basket> FindAsync([MuxKey] long customer, CancellationToken cancellationToken = default);

    ValueTask SaveAsync(Basket basket, CancellationToken cancellationToken = default); // its key is Basket.Customer
}

[DataContract]
public sealed class Basket
{
    [DataMember(Order = 1), MuxKey]
    public long Customer { get; set; }

    [DataMember(Order = 2)]
    public List<string> Articles { get; set; } = [];
}
