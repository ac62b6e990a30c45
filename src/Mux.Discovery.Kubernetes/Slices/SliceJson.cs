using System.Text.Json.Serialization;

namespace Mux.Discovery.Kubernetes.Slices;

/// <summary>Readers of what the API server sends. Members that are not named here are skipped.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(EndpointSliceList))]
[JsonSerializable(typeof(WatchEvent))]
[JsonSerializable(typeof(ApiStatus))]
internal sealed partial class SliceJson : JsonSerializerContext;
