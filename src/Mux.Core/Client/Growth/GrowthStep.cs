namespace Mux.Client;

/// <summary>What a pool does next.</summary>
internal enum GrowthStep
{
    /// <summary>Nothing.</summary>
    Stay,

    /// <summary>Dials one more connection.</summary>
    Grow,

    /// <summary>Drains one connection, which got nothing done that the others could not.</summary>
    Shrink,
}
