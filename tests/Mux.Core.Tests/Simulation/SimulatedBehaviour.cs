namespace Mux.Core.Tests.Simulation;

/// <summary>When and how a method of the simulation answers.</summary>
internal enum SimulatedBehaviour
{
    /// <summary>In the turn.</summary>
    AtOnce,

    /// <summary>In the turn, with a failure.</summary>
    Fails,

    /// <summary>Started in the turn, answered when the simulation says so.</summary>
    Later,

    /// <summary>The same, with a token.</summary>
    LaterWithToken,

    /// <summary>Started by a worker when the simulation says so, if the call is still wanted then.</summary>
    Pooled,
}
