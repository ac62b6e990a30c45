using System.Text.Json.Serialization;

namespace Mux.Tests.Serializers;

/// <summary>Holds JSON as a text, written and read by a converter that serializes itself.</summary>
[JsonConverter(typeof(LayeredConverter))]
public sealed record Layered(int Depth, Layered? Inner);
