using System.Text.Json.Serialization;
using Mux.Serialization.Json;

namespace Serializers;

public sealed record FindArticle(string Name);

public sealed record Article(int Id, string Name, decimal Price);

[JsonSerializable(typeof(FindArticle))]
[JsonSerializable(typeof(Article))]
public sealed partial class CatalogJson : JsonSerializerContext, IJsonContext<CatalogJson>;
