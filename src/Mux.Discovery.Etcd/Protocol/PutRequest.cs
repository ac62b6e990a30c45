using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>Writes a key that lives as long as a lease.</summary>
internal sealed record PutRequest(
    [property: JsonPropertyName("key")] byte[] Key,
    [property: JsonPropertyName("value")] byte[] Value,
    [property: JsonPropertyName("lease")] long Lease);
