using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>Lists the keys from one to another.</summary>
internal sealed record RangeRequest(
    [property: JsonPropertyName("key")] byte[] Key,
    [property: JsonPropertyName("range_end")] byte[] RangeEnd);
