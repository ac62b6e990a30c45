using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>Opens a watch.</summary>
internal sealed record WatchRequest([property: JsonPropertyName("create_request")] WatchCreateRequest CreateRequest);
