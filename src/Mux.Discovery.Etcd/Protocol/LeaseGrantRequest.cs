using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>Asks for a lease of some seconds.</summary>
internal sealed record LeaseGrantRequest([property: JsonPropertyName("TTL")] long Seconds);
