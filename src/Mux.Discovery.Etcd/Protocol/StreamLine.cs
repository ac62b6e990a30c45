using System.Text.Json;
using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>A line of a stream of responses.</summary>
internal sealed record StreamLine<T>
{
    [JsonPropertyName("result")]
    public T? Result { get; init; }

    [JsonPropertyName("error")]
    public JsonElement? Error { get; init; }
}
