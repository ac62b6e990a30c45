using System.Text.Json.Serialization;

namespace Mux.Discovery.Kubernetes.Slices;

/// <summary>What the API server says in place of an object.</summary>
internal sealed record ApiStatus(string? Message, string? Reason, int? Code)
{
    /// <summary>True if the requested version is no longer known.</summary>
    [JsonIgnore]
    public bool IsGone => Code == 410 || Reason is "Expired" or "Gone";
}
