namespace Mux.Tool;

/// <summary>How the process ends; the table for users is in README.md.</summary>
internal static class ExitCode
{
    public const int Success = 0;

    /// <summary>A defect of the tool.</summary>
    public const int Internal = 1;

    /// <summary>The command line, or a setting it asks for that this machine does not have.</summary>
    public const int Usage = 2;

    /// <summary>The target cannot be reached, does not speak Mux or does not serve the workload.</summary>
    public const int Unreachable = 3;

    /// <summary>The generator could not keep its schedule, or results cannot be compared: the figures prove nothing.</summary>
    public const int Invalid = 4;

    /// <summary>A connection was lost under load.</summary>
    public const int ConnectionLost = 5;

    /// <summary>A reply was wrong, lost or doubled, or a call failed; an objective or a comparison was not met.</summary>
    public const int Faulty = 99;

    /// <summary>Stopped by the user: 128 + SIGINT.</summary>
    public const int Interrupted = 130;
}
