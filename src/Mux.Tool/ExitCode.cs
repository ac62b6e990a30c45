namespace Mux.Tool;

/// <summary>Exit codes of the process; README.md has the table for users.</summary>
internal static class ExitCode
{
    public const int Success = 0;

    /// <summary>A defect of the tool.</summary>
    public const int Internal = 1;

    /// <summary>A wrong command line, or a setting that this machine does not support.</summary>
    public const int Usage = 2;

    /// <summary>
    /// The target, or one of its servers, cannot be reached, does not speak Mux or does not serve the workload.
    /// </summary>
    public const int Unreachable = 3;

    /// <summary>
    /// The generator could not keep its schedule, or the results cannot be compared: the figures prove nothing.
    /// </summary>
    public const int Invalid = 4;

    /// <summary>A connection was lost under load.</summary>
    public const int ConnectionLost = 5;

    /// <summary>
    /// A reply was wrong, lost or duplicated, a call failed, or an objective or a comparison was not met.
    /// </summary>
    public const int Faulty = 99;

    /// <summary>Stopped by the user: 128 + SIGINT.</summary>
    public const int Interrupted = 130;

    /// <summary>The reader of the standard output has ended: 128 + SIGPIPE.</summary>
    public const int OutputClosed = 141;
}
