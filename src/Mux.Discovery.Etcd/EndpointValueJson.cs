using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd;

/// <summary>Metadata of the value of a key, so that it is read and written without reflection.</summary>
[JsonSourceGenerationOptions(DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(EndpointValue))]
internal sealed partial class EndpointValueJson : JsonSerializerContext;
