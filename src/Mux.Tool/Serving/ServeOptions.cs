using Mux.Tool.Faults;
using Mux.Tool.Workloads;

namespace Mux.Tool.Serving;

/// <summary>How a server of the workloads serves.</summary>
internal sealed record ServeOptions
{
    public LinkOptions Links { get; init; } = new();

    /// <summary>Whether it may be reached by other machines.</summary>
    public bool AllowPlaintext { get; init; }

    public HandlerProfile Handlers { get; init; } = HandlerProfile.Plain;

    public Fault Fault { get; init; }
}
