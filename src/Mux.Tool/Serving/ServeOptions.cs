using Mux.Tool.Faults;
using Mux.Tool.Workloads;

namespace Mux.Tool.Serving;

/// <summary>How a server of the workloads serves.</summary>
internal sealed record ServeOptions
{
    /// <summary>Null for the system's choice.</summary>
    public string? CongestionControl { get; init; }

    /// <summary>Whether it may be reached by other machines.</summary>
    public bool AllowPlaintext { get; init; }

    public HandlerProfile Handlers { get; init; } = HandlerProfile.Plain;

    public Fault Fault { get; init; }
}
