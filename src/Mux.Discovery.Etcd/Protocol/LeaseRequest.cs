using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>Names a lease, to renew or to end it.</summary>
internal sealed record LeaseRequest([property: JsonPropertyName("ID")] long Lease);
