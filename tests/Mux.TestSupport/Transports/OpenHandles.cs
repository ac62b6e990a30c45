namespace Mux.TestSupport.Transports;

/// <summary>Handles the process has open, where the system tells.</summary>
public static class OpenHandles
{
    private const string Folder = "/proc/self/fd";

    /// <summary>0 where the system does not tell.</summary>
    public static int Count() => Directory.Exists(Folder) ? Directory.GetFiles(Folder).Length : 0;
}
