using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>The state of the store at a response.</summary>
internal sealed record ResponseHeader([property: JsonPropertyName("revision")] long Revision);
