using System.Runtime.Serialization;

namespace Mux.Tests.Routing;

/// <summary>Methods with a key in each of its places. Each answers with the number of the server.</summary>
[MuxService("test.Baskets"), MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)]
public interface IBaskets
{
    ValueTask<int> Find([MuxKey] long customer, CancellationToken cancellationToken = default);

    ValueTask<int> FindByName([MuxKey] string? name, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    ValueTask<int> Move(int count, [MuxKey] Guid customer, CancellationToken cancellationToken = default);

    ValueTask<int> Order(BasketOrder order, CancellationToken cancellationToken = default);

    IAsyncEnumerable<int> Watch([MuxKey] long customer, CancellationToken cancellationToken = default);

    ValueTask<int> Fill([MuxKey] long customer, IAsyncEnumerable<int> articles, CancellationToken cancellationToken = default);
}

[DataContract]
public sealed class BasketOrder
{
    [DataMember(Order = 1)]
    public int Article { get; set; }

    [DataMember(Order = 2), MuxKey]
    public long Customer { get; set; }
}
