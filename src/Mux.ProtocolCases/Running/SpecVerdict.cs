namespace Mux.ProtocolCases.Running;

/// <summary>Results of a run of a case.</summary>
internal enum SpecVerdict
{
    Passed,
    Failed,

    /// <summary>The peer lacks what the case needs.</summary>
    Skipped,
}
