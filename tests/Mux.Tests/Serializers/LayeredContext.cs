using System.Text.Json.Serialization;
using Mux.Serialization.Json;

namespace Mux.Tests.Serializers;

[JsonSerializable(typeof(Layered)), JsonSerializable(typeof(Dimensions))]
public sealed partial class LayeredContext : JsonSerializerContext, IJsonContext<LayeredContext>;
