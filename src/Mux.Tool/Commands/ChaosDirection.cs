namespace Mux.Tool.Commands;

/// <summary>Directions whose bytes <c>mux chaos</c> gives faults.</summary>
internal enum ChaosDirection
{
    Both,

    /// <summary>From clients to the server.</summary>
    Upstream,

    /// <summary>From the server to clients.</summary>
    Downstream,
}
