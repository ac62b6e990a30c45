using System.Text.Json;
using System.Text.Json.Serialization;

namespace Mux.Generators.Tests.Vectors;

/// <summary>One recorded behaviour of protobuf-net; the fields are those of the data file.</summary>
public sealed record Vector(
    string Id,
    string Kind,
    string Type,
    [property: JsonPropertyName("csharp")] string? CSharp,
    int Level,
    string? Hex,
    string? Decoded,
    string? Reserialized,
    string? Exception,
    string? LevelFrom,
    string? Known,
    string Note)
{
    private static readonly JsonSerializerOptions s_options = new() { PropertyNameCaseInsensitive = true };

    public static IReadOnlyList<Vector> All { get; } = Load();

    public override string ToString() => Id;

    private static Vector[] Load()
    {
        var path = Path.Combine(AppContext.BaseDirectory, "Vectors", "Data", "vectors.json");
        return JsonSerializer.Deserialize<Vector[]>(File.ReadAllText(path), s_options)!;
    }
}
