using Mux;
using Mux.Serialization.Json;

namespace Serializers;

[MuxService("shop.Catalog", Serializer = typeof(JsonSerializer<CatalogJson>))]
public interface ICatalog
{
    ValueTask<Article> Find(FindArticle query, CancellationToken cancellationToken = default);
    IAsyncEnumerable<Article> List(FindArticle query, CancellationToken cancellationToken = default);
}
