namespace Mux.Tool.Capacity;

/// <summary>Verdicts for a rate.</summary>
internal enum StepVerdict
{
    /// <summary>The objectives are met.</summary>
    Held,

    /// <summary>The server does not meet the objectives.</summary>
    Broken,

    /// <summary>The generator did not make the calls as scheduled, so the result is unknown.</summary>
    Saturated,
}
