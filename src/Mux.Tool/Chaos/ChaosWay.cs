namespace Mux.Tool.Chaos;

/// <summary>A direction of a connection.</summary>
internal enum ChaosWay
{
    /// <summary>From the client to the server.</summary>
    Upstream,

    /// <summary>From the server to the client.</summary>
    Downstream,
}
