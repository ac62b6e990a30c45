using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>A key of etcd with its value.</summary>
internal sealed record KeyValue
{
    [JsonPropertyName("key")]
    public byte[] Key { get; init => field = value ?? []; } = []; // null if the interface leaves it out

    [JsonPropertyName("value")]
    public byte[] Value { get; init => field = value ?? []; } = [];

    /// <summary>The revision of the last change.</summary>
    [JsonPropertyName("mod_revision")]
    public long ModRevision { get; init; }
}
