using Mux.Tool.Faults;
using Mux.Tool.Workloads;

namespace Mux.Tool.Serving;

/// <summary>Options of a server of the workloads.</summary>
internal sealed record ServeOptions
{
    public LinkOptions Links { get; init; } = new();

    /// <summary>True if other machines may reach it.</summary>
    public bool AllowPlaintext { get; init; }

    /// <summary>Profile of its limits.</summary>
    public MuxProfile Profile { get; init; }

    public HandlerProfile Handlers { get; init; } = HandlerProfile.Plain;

    public Fault Fault { get; init; }
}
