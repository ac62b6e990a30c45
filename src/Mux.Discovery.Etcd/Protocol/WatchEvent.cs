using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>A change of a key.</summary>
internal sealed record WatchEvent
{
    /// <summary>DELETE; null for a put, because the interface leaves out what is zero.</summary>
    [JsonPropertyName("type")]
    public string? Type { get; init; }

    /// <summary>The key, without a value if it was deleted.</summary>
    [JsonPropertyName("kv")]
    public KeyValue? Key { get; init; }

    [JsonIgnore]
    public bool IsDelete => Type == "DELETE";
}
