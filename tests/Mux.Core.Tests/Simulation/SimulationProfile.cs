namespace Mux.Core.Tests.Simulation;

/// <summary>What goes wrong in a simulation.</summary>
[Flags]
internal enum SimulationProfile
{
    /// <summary>Nothing: every call that can succeed does.</summary>
    Clean = 0,

    /// <summary>Callers cancel and set deadlines, queues are small, and what does not fit is refused.</summary>
    Impatient = 1,

    /// <summary>Sides drain while calls go on.</summary>
    Draining = 2,

    /// <summary>The link breaks somewhere, or one side gives up.</summary>
    Broken = 4,
}
