namespace Evidence.Programs;

/// <summary>Of both ends of everything that is measured here: the usual default, bbr or cubic, paces loopback or does not, as the machine likes.</summary>
internal static class CongestionControl
{
    /// <value>Null where it cannot be set.</value>
    public static string? Name { get; } = OperatingSystem.IsLinux() ? "reno" : null;

    /// <summary>For the command line of the tool.</summary>
    public static string[] Arguments { get; } = Name is null ? [] : ["--congestion", Name];
}
