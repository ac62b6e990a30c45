using System.Text.Json;
using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>The body of a failed request.</summary>
internal sealed record ErrorBody
{
    /// <summary>A text, or an object with a message.</summary>
    [JsonPropertyName("error")]
    public JsonElement? Error { get; init; }

    [JsonPropertyName("message")]
    public string? Message { get; init; }
}
