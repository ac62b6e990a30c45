using System.Text.Json.Serialization;

namespace Mux.Discovery.Etcd.Protocol;

/// <summary>A token that stands for a user.</summary>
internal sealed record AuthenticateResponse([property: JsonPropertyName("token")] string? Token);
