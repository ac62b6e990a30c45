using System.Text.Json.Serialization;
using Mux.Serialization.Json;

namespace Mux.Tests.Serializers;

[JsonSourceGenerationOptions(DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull, NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals, UseStringEnumConverter = true)]
[JsonSerializable(typeof(JsonSpecimen))]
public sealed partial class JsonEchoContext : JsonSerializerContext, IJsonContext<JsonEchoContext>;
