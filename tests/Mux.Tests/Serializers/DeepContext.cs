using System.Text.Json.Serialization;
using Mux.Serialization.Json;

namespace Mux.Tests.Serializers;

[JsonSourceGenerationOptions(MaxDepth = 65)]
[JsonSerializable(typeof(Dimensions))]
public sealed partial class DeepContext : JsonSerializerContext, IJsonContext<DeepContext>;
