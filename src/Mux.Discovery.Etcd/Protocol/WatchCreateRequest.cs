using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>Watches the keys from one to another, from a revision.</summary>
internal sealed record WatchCreateRequest(
    [property: JsonPropertyName("key")] byte[] Key,
    [property: JsonPropertyName("range_end")] byte[] RangeEnd,
    [property: JsonPropertyName("start_revision")] long StartRevision);
