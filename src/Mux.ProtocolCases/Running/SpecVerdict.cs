namespace Mux.ProtocolCases.Running;

/// <summary>What a run of a case shows.</summary>
internal enum SpecVerdict
{
    Passed,
    Failed,

    /// <summary>The peer lacks what the case needs.</summary>
    Skipped,
}
