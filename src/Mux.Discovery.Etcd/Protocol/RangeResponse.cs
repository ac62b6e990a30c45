using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>The keys of a range.</summary>
internal sealed record RangeResponse
{
    [JsonPropertyName("header")]
    public ResponseHeader? Header { get; init; }

    [JsonPropertyName("kvs")]
    public IReadOnlyList<KeyValue> Keys { get; init => field = value ?? []; } = []; // null if the interface leaves it out
}
