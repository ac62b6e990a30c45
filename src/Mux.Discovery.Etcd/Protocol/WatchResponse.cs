using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>A message of a watch.</summary>
internal sealed record WatchResponse
{
    /// <summary>True if the watch is over. The stream stays open all the same.</summary>
    [JsonPropertyName("canceled")]
    public bool IsCanceled { get; init; }

    /// <summary>The oldest revision that can be watched, if the watch asked for an older one; else 0.</summary>
    [JsonPropertyName("compact_revision")]
    public long CompactRevision { get; init; }

    [JsonPropertyName("cancel_reason")]
    public string? CancelReason { get; init; }

    [JsonPropertyName("events")]
    public IReadOnlyList<WatchEvent> Events { get; init => field = value ?? []; } = []; // null if the interface leaves it out
}
