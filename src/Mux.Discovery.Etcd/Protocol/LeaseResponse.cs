using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>A lease, granted or renewed.</summary>
internal sealed record LeaseResponse
{
    [JsonPropertyName("ID")]
    public long Lease { get; init; }

    /// <summary>Seconds that it lives; 0, or not there, for a lease that has ended.</summary>
    [JsonPropertyName("TTL")]
    public long Seconds { get; init; }
}
